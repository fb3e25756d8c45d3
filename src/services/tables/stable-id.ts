import { createHash } from "node:crypto";

/** A UUID (version 8) that follows from a text, so that there is nothing to keep. */
export function stableId(text: string): string {
  const digits = createHash("sha256").update(text).digest("hex");
  const [a, b, c, d] = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 15),
    digits.slice(15, 18),
  ];
  return `${a}-${b}-8${c}-8${d}-${digits.slice(18, 30)}`;
}
