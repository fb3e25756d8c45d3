import { KqlError, type KqlErrorKind } from "#engines/kql/kql-error.ts";

/** More requests wait than may; the caller should come again later. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";
}

/** SQL that does not run: a bug in whoever wrote the statement, or a broken file. */
class SqlError extends Error {
  override readonly name: string = "SqlError";
}

/** There is no space for a write. It has changed nothing, and the next may find space again. */
class DiskFullError extends SqlError {
  /** As the file system says it. */
  readonly code = "ENOSPC";
}

const NO_SPACE = /No space left on device|Disk quota exceeded/u;

/** Opens the message of what a JavaScript function threw; DuckDB hands on the message alone. */
const MARK = "thrown in JavaScript: ";
const DATA_ERRORS = /^(?:Conversion|Out of Range|Invalid Input|Divide by Zero|Value) Error: (.*)/su;
const OUT_OF_MEMORY = /^Out of Memory Error: /u;
const CODES = { memory: "E_LOW_MEMORY_CONDITION" };

interface Thrown {
  readonly message: string;
  readonly kind?: KqlErrorKind;
  readonly code?: string;
}

/** Packs what a function threw into a message that survives the way through DuckDB. */
export function packError(name: string, error: unknown): Error {
  const thrown: Thrown =
    error instanceof KqlError
      ? { kind: error.kind, code: error.code, message: error.message }
      : { message: `${name}: ${String(error)}` };
  return new Error(MARK + JSON.stringify(thrown), { cause: error });
}

/** What went wrong, from an error of DuckDB. */
export function unpackError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message } = error;
  const start = message.indexOf(MARK);
  if (start !== -1) return unpackThrown(message.slice(start + MARK.length), error);
  if (OUT_OF_MEMORY.test(message)) {
    const sentence = "The query needs more memory than it may have.";
    return new KqlError("limit", sentence, { code: CODES.memory });
  }
  const data = DATA_ERRORS.exec(message);
  if (data?.[1] !== undefined) return new KqlError("runtime", data[1]);
  return NO_SPACE.test(message)
    ? new DiskFullError(message, { cause: error })
    : new SqlError(message, { cause: error });
}

function unpackThrown(packed: string, cause: Error): Error {
  // Written by `packError`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { kind, code, message } = JSON.parse(packed) as Thrown;
  if (kind === undefined || code === undefined) return new SqlError(message, { cause });
  return new KqlError(kind, message, { code });
}
