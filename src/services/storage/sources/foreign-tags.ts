import { collectBytes } from "../blobs/body.ts";
import type { Context } from "../context.ts";
import { parseXml } from "../protocol/xml-body.ts";
import { tagsOfXml } from "../tags/tags.ts";
import { cannotVerify } from "./cannot-verify.ts";
import type { CopySource } from "./copy-source.ts";
import { credentialHeaders } from "./credential-headers.ts";
import { sourceRefusal } from "./source-refusal.ts";

/** Bytes of a list of tags. */
const BODY_MAX = 64 * 1024;

/** The tags of a source in another server, as they are stored. */
export async function foreignTags(
  { outbound }: Pick<Context, "outbound">,
  source: CopySource,
  signal: AbortSignal,
): Promise<string | null> {
  const asked = new URL(source.url);
  asked.searchParams.set("comp", "tags");
  const headers = credentialHeaders(source);
  const response = await outbound(asked.href, { headers, signal, totalTimeoutMs: undefined });
  try {
    const { status } = response;
    if (status !== 200) {
      const said = `The copy source, another server, answered with ${status}, not with its tags.`;
      throw cannotVerify(status, said, await sourceRefusal(response));
    }
    if (Number(response.headers["content-length"] ?? BODY_MAX) > BODY_MAX) throw unusable();
    return tagsOfXml(parseXml(await beginning(response.body)));
  } finally {
    response.discard();
  }
}

async function beginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  async function* counted(): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > BODY_MAX) throw unusable();
      yield chunk;
    }
  }
  return Buffer.from(await collectBytes(counted())).toString("utf8");
}

function unusable() {
  return cannotVerify(400, `The tags of the copy source have more than ${BODY_MAX} bytes.`);
}
