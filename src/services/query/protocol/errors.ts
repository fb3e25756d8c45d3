import { KqlError } from "#engines/kql/kql-error.ts";
import { toProblem } from "#platform/http/app.ts";
import { timeText, type Activity } from "./result.ts";

/** A refusal in the words of this protocol, before or after the first row. */
export interface Fault {
  readonly status: number;
  readonly code: string;
  /** Class of the public exception, as clients tell faults apart. */
  readonly type: string;
  readonly message: string;
  /** What went wrong, as one sentence with its kind in front. */
  readonly detail: string;
  /** The same request will fail again. */
  readonly isPermanent: boolean;
  readonly inner:
    | { readonly code: string; readonly type: string; readonly message: string }
    | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Raised by limits of a result: the rows until then are valid. */
export class PartialResultError extends Error {
  override readonly name = "PartialResultError";
}

/** `0x80DA0003` as a signed number: the status of a query whose result was cut. */
export const PARTIAL_FAILURE_STATUS = -2_133_196_797;

const EXCEPTIONS = "Kusto.Data.Exceptions";
const SENTENCE = "Request is invalid and cannot be executed.";

/** What a caller is told of whatever was thrown; bugs tell nothing of themselves. */
export function toFault(error: unknown, text = ""): Fault {
  if (error instanceof KqlError) return ofLanguage(error, text);
  if (error instanceof PartialResultError) return ofLimit(error.message);
  return ofProblem(error);
}

function ofLanguage(error: KqlError, text: string): Fault {
  const { kind, code, message } = error;
  if (kind === "limit") return ofLimit(message);
  if (kind === "runtime") {
    return fault(400, "General_BadRequest", "KustoBadRequestException", message);
  }
  const isSyntax = kind === "syntax";
  const said = `${code}: ${message}${placeOf(error, text)}`;
  const detail = `${isSyntax ? "Syntax" : "Semantic"} error: ${said}`;
  const outer = isSyntax
    ? fault(400, "BadRequest_SyntaxError", "SyntaxException", detail)
    : fault(400, "General_BadRequest", "KustoBadRequestException", detail);
  const type = `${EXCEPTIONS}.${isSyntax ? "SyntaxException" : "SemanticException"}`;
  return { ...outer, inner: { code, type, message: detail } };
}

/** ` [line:position=2:7]`, both counted from 1. */
function placeOf({ position, message }: KqlError, text: string): string {
  if (position === undefined || position.start > text.length) return "";
  if (message.includes("[line:position=")) return "";
  const before = text.slice(0, position.start);
  const line = before.split("\n").length;
  const column = position.start - (before.lastIndexOf("\n") + 1) + 1;
  return ` [line:position=${line}:${column}]`;
}

function ofLimit(message: string): Fault {
  const type = "KustoServicePartialQueryFailureLimitsExceededException";
  const detail = `Query execution has exceeded the allowed limits (80DA0003): ${message}`;
  return { ...fault(400, "LimitsExceeded", type, detail), isPermanent: false };
}

/** Statuses of the platform's refusals, with the exceptions that clients know. */
const TYPES: Readonly<Record<number, string>> = {
  401: "UnauthorizedException",
  403: "UnauthorizedDatabaseAccessException",
  404: "EntityNotFoundException",
  409: "EntityAlreadyExistsException",
  413: "KustoRequestTooLargeException",
  429: "ThrottledException",
  500: "InternalServiceException",
  501: "NotSupportedException",
  504: "TimeoutException",
};

function ofProblem(error: unknown): Fault {
  const { statusCode, code, message, detail } = toProblem(error);
  const type = TYPES[statusCode] ?? "KustoBadRequestException";
  const isPermanent = statusCode !== 429 && statusCode < 500;
  const told = fault(statusCode, code, type, message);
  return { ...told, isPermanent, headers: detail.headers ?? {} };
}

function fault(status: number, code: string, type: string, detail: string): Fault {
  return {
    status,
    code,
    type: `${EXCEPTIONS}.${type}`,
    message: status === 400 ? SENTENCE : detail,
    detail,
    isPermanent: true,
    inner: undefined,
    headers: {},
  };
}

/** `{error: {…}}`, as a body and inside of `OneApiErrors`. */
export function errorBody(told: Fault, activity: Activity) {
  const context = contextOf(activity);
  return {
    error: {
      code: told.code,
      message: told.message,
      "@type": told.type,
      "@message": told.detail,
      "@context": context,
      "@permanent": told.isPermanent,
      ...(told.inner && {
        innererror: {
          code: told.inner.code,
          message: told.inner.message,
          "@type": told.inner.type,
          "@message": told.inner.message,
          "@context": context,
          "@permanent": told.isPermanent,
          "@errorCode": told.inner.code,
          "@errorMessage": told.inner.message,
        },
      }),
    },
  };
}

const ACTIVITY_TYPE = "Atoll.Query";

function contextOf({ activityId, clientRequestId, now }: Activity) {
  return {
    timestamp: timeText(now()),
    serviceAlias: "ATOLL",
    machineName: "atoll",
    processName: "atoll",
    processId: process.pid,
    threadId: 0,
    clientRequestId,
    activityId,
    subActivityId: activityId,
    activityType: ACTIVITY_TYPE,
    parentActivityId: activityId,
    activityStack: `(Activity stack: CRID=${clientRequestId} ARID=${activityId})`,
  };
}
