import { KqlError } from "#engines/kql/kql-error.ts";
import { OutboundError } from "#platform/fetch/outbound-error.ts";
import type { Context } from "../context.ts";
import { maskSecrets } from "../queries/mask-secrets.ts";

export interface FetchedSource {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The format that the name of the file tells; csv if it tells none. */
  readonly format: string;
  /** The URL without secrets. */
  readonly shown: string;
}

const HOUR_MS = 3_600_000;

/**
 * Opens what a URL leads to. Credentials are a signature in the URL: an account's key or an
 * identity behind a semicolon is refused by name.
 *
 * @throws {KqlError} when nothing can be had from there
 */
export async function fetchSource(
  { outbound }: Pick<Context, "outbound">,
  path: string,
  signal: AbortSignal,
): Promise<FetchedSource> {
  const [url = "", suffix] = path.split(";", 2);
  const shown = maskSecrets(url);
  if (suffix !== undefined && suffix !== "") throw refusedSuffix(shown);
  if (!URL.canParse(url)) throw new KqlError("semantic", `'${shown}' is not a URL.`);
  try {
    const answer = await outbound(url, { signal, totalTimeoutMs: HOUR_MS });
    if (answer.status === 200) return { bytes: answer.body, format: formatOf(url), shown };
    answer.discard();
    throw new KqlError("semantic", `${shown} answered with status ${answer.status}, not 200.`);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new KqlError("semantic", `${shown} cannot be read: ${error.message}`);
  }
}

function refusedSuffix(shown: string): KqlError {
  return new KqlError(
    "unsupported",
    `The source ${shown} comes with a key or an identity behind a semicolon; sign the URL with a ` +
      "shared access signature instead.",
  );
}

const FORMATS = new Set([
  "avro",
  "csv",
  "json",
  "multijson",
  "parquet",
  "psv",
  "raw",
  "scsv",
  "sohsv",
  "tsv",
  "tsve",
  "txt",
]);

/** `data.json.gz` is json. */
function formatOf(url: string): string {
  const { pathname } = new URL(url);
  const name = pathname.toLowerCase().replace(/\.(gz|zip)$/, "");
  const extension = /\.(\w+)$/.exec(name)?.[1] ?? "";
  return FORMATS.has(extension) ? extension : "csv";
}
