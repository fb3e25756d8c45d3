import { OutboundError } from "#platform/fetch/outbound-error.ts";
import type { OutboundResponse } from "#platform/fetch/outbound-fetch.ts";
import { Problem } from "#platform/problem.ts";
import { BLOCK_COUNT_MAX } from "../append-blobs/append.ts";
import type { Call } from "../call.ts";
import type { Context } from "../context.ts";
import { tooLarge } from "../protocol/header-values.ts";
import type { AskedRange } from "../protocol/ranges.ts";
import { cannotVerify, emptySource, sourceConditionNotMet } from "./cannot-verify.ts";
import type { CopySource } from "./copy-source.ts";
import { credentialHeaders } from "./credential-headers.ts";
import { foreignTags } from "./foreign-tags.ts";
import { sourceRefusal } from "./source-refusal.ts";
import { storePieces, type BlobKind, type Origin, type Taken, type TakeOptions } from "./taken.ts";

const CONTENT_RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/;

/** Takes from another server, through the guarded fetch. */
export async function takeForeignSource(
  context: Context,
  call: Call,
  source: CopySource,
  options: TakeOptions,
): Promise<Taken> {
  const client = watchClient(call);
  const { signal } = client;
  return asSource(async () => {
    const response = await askForeign(context, source, signal);
    try {
      await requireSuccess(response, source, call.version);
      const tagsOf = async () => (source.copiesTags ? foreignTags(context, source, signal) : null);
      return await takeBody(context, response, source, { ...options, tagsOf });
    } finally {
      response.discard();
    }
  }).finally(client.release);
}

export function askForeign(
  { outbound }: Pick<Context, "outbound">,
  source: CopySource,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const headers = requestHeaders(source);
  return outbound(source.url.href, { headers, signal, totalTimeoutMs: source.timeoutMs });
}

/** What keeps a source from being read is told as the protocol does. */
export async function asSource<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof OutboundError ? unread(error) : error;
  }
}

/** Nobody waits for a source whose client has gone. */
function watchClient({ request }: Call) {
  const { socket } = request.raw;
  const controller = new AbortController();
  const abort = () => controller.abort(new Error("The client has closed its connection."));
  socket.once("close", abort);
  return { signal: controller.signal, release: () => socket.removeListener("close", abort) };
}

function requestHeaders(source: CopySource): Record<string, string> {
  return {
    ...source.conditionHeaders,
    ...(source.leaseId !== undefined && { "x-ms-lease-id": source.leaseId }),
    ...(isPart(source.range) && { range: rangeHeader(source.range) }),
    ...credentialHeaders(source),
  };
}

/** A range from the first byte to an open end is the whole. */
function isPart(range: AskedRange | undefined): range is AskedRange {
  return range !== undefined && (range.first > 0 || range.last !== undefined);
}

function rangeHeader({ first, last }: AskedRange): string {
  return `bytes=${first}-${last ?? ""}`;
}

export async function requireSuccess(
  response: OutboundResponse,
  { range, conditionHeaders }: CopySource,
  version: string,
): Promise<void> {
  const { status } = response;
  if (status === (isPart(range) ? 206 : 200)) return requirePlain(response);
  const isConditional = Object.keys(conditionHeaders).length > 0;
  if (isConditional && (status === 304 || status === 412)) throw sourceConditionNotMet(version);
  const refusal = await sourceRefusal(response);
  if (status >= 400) {
    const said = `The copy source, another server, answered with ${status}, not with its content.`;
    throw cannotVerify(status, said, refusal);
  }
  throw cannotVerify(400, unusable(status, isPart(range)), refusal);
}

/** What is encoded is not the bytes that were asked for. */
function requirePlain({ headers }: OutboundResponse): void {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding === "identity") return;
  const said = `The copy source was asked for its bytes as they are and sent them as ${encoding}.`;
  throw cannotVerify(400, said);
}

function unusable(status: number, isRanged: boolean): string {
  if (status >= 300) return `The copy source redirects (${status}), which is not followed.`;
  const asked = isRanged ? "a range, which takes 206" : "the whole, which takes 200";
  return `The copy source was asked for ${asked}; it answered with ${status}.`;
}

async function takeBody(
  { blocks }: Context,
  response: OutboundResponse,
  { range }: CopySource,
  { tagsOf, ...options }: TakeOptions & { readonly tagsOf: () => Promise<string | null> },
): Promise<Taken> {
  const expected = expectedLength(response, range);
  if (expected !== undefined && expected > options.bytesMax) {
    throw tooLarge("The copy source", expected, options.bytesMax);
  }
  const taken = {
    ...(await storePieces(blocks, response.body, options)),
    origin: { ...originOf(response), tags: await tagsOf() },
  };
  if (expected !== undefined && taken.length !== expected) {
    const said = `The copy source announced ${expected} bytes and sent ${taken.length}.`;
    throw cannotVerify(500, said);
  }
  if (taken.length === 0 && options.mayBeEmpty !== true) throw emptySource();
  return taken;
}

export function originOf({ headers }: OutboundResponse): Omit<Origin, "tags"> {
  const metadata = Object.entries(headers).flatMap(([name, value]) => {
    const [, key] = /^x-(?:ms|svc)-meta-(.+)$/.exec(name) ?? [];
    return key === undefined || typeof value !== "string" ? [] : [[key, value]];
  });
  return {
    properties: {
      contentType: headers["content-type"] ?? null,
      contentEncoding: headers["content-encoding"] ?? null,
      contentLanguage: headers["content-language"] ?? null,
      contentDisposition: headers["content-disposition"] ?? null,
      cacheControl: headers["cache-control"] ?? null,
      contentMd5: null,
    },
    metadata: JSON.stringify(Object.fromEntries(metadata)),
    kind: kindOf(headers),
  };
}

/** What the source says that it is; of another kind of server it is a block blob. */
function kindOf(headers: OutboundResponse["headers"]): BlobKind {
  const said = (name: string) => {
    const value = headers[`x-ms-${name}`] ?? headers[`x-svc-${name}`];
    return typeof value === "string" ? value : "";
  };
  const type = said("blob-type");
  if (type === "AppendBlob") {
    const count = Number(/^\d{1,5}$/.exec(said("blob-committed-block-count"))?.[0] ?? 1);
    return { type, blockCount: Math.min(count, BLOCK_COUNT_MAX), sequenceNumber: null };
  }
  if (type !== "PageBlob") return { type: "BlockBlob", blockCount: 0, sequenceNumber: null };
  const number = /^\d{1,18}$/.exec(said("blob-sequence-number"))?.[0] ?? "0";
  return { type, blockCount: 0, sequenceNumber: String(BigInt(number)) };
}

/** What the source announces, which has to be what it was asked for. */
export function expectedLength(
  { headers }: OutboundResponse,
  range: AskedRange | undefined,
): number | undefined {
  if (!isPart(range)) {
    const length = headers["content-length"];
    return length === undefined ? undefined : Number(length);
  }
  const [, first, last, total] = CONTENT_RANGE.exec(headers["content-range"] ?? "") ?? [];
  // All that was asked for, or up to the end of what there is: fewer bytes would go unnoticed.
  const end = total === "*" ? Infinity : Number(total) - 1;
  const wanted = Math.min(range.last ?? Infinity, end);
  const isAsked = Number(first) === range.first && Number(last) === wanted;
  if (isAsked) return Number(last) - Number(first) + 1;
  throw cannotVerify(
    400,
    `The copy source was asked for ${rangeHeader(range)} and answered with the Content-Range ` +
      `"${headers["content-range"] ?? ""}".`,
  );
}

function unread(error: OutboundError): Problem {
  if (error.reason === "busy") return new Problem(503, "ServerBusy", error.message);
  const status = error.reason === "refused" ? 403 : 500;
  return cannotVerify(status, `The copy source was not read: ${error.message}`);
}
