import type { OutboundResponse } from "#platform/fetch/outbound-fetch.ts";
import type { SourceRefusal } from "./cannot-verify.ts";

/** Bytes of a refusal that are looked at, and characters of its sentence that are passed on. */
const READ_MAX = 4096;
const EXCERPT_MAX = 256;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  quot: '"',
};
const CODE = /^[\w.-]{1,64}$/;

/** What the source says of its refusal: the code and the sentence of an XML error, if it has. */
export async function sourceRefusal(response: OutboundResponse): Promise<SourceRefusal> {
  const text = await beginning(response);
  const named = response.headers["x-svc-error-code"] ?? response.headers["x-ms-error-code"];
  const code = [named, element(text, "Code")].find(
    (candidate) => typeof candidate === "string" && CODE.test(candidate),
  );
  return {
    status: response.status,
    code: typeof code === "string" ? code : undefined,
    message: element(text, "Message")?.slice(0, EXCERPT_MAX),
  };
}

function element(text: string, name: string): string | undefined {
  const content = new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];
  return content?.replaceAll(/&(amp|apos|gt|lt|quot);/g, (_whole, entity: string) => {
    return ENTITIES[entity] ?? "";
  });
}

/** A body that breaks off has said what it has said. */
async function beginning({ body }: OutboundResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= READ_MAX) break;
    }
  } catch {
    // The status is known, and it is what counts.
  }
  return Buffer.concat(chunks).subarray(0, READ_MAX).toString("utf8");
}
