/** Text that is markup already. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | readonly Html[] | undefined;

/** Markup from a template. Whatever is put in is escaped, unless it is markup already. */
export function html(fixed: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const written = fixed.map((text, index) => text + markupOf(parts[index]));
  return { markup: written.join("") };
}

function markupOf(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "string") return escape(part);
  if ("markup" in part) return part.markup;
  return part.map(({ markup }) => markup).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
