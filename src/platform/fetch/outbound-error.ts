/** Why a fetch did not give an answer; any status that arrived, 500 included, is an answer. */
export type OutboundReason = "refused" | "unreachable" | "timeout" | "busy";

/** The sentence names the host and never the path or query: those hold signatures. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly reason: OutboundReason;

  constructor(reason: OutboundReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The reason of an abort, which may be any value, as an error. */
export function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason), { cause: reason });
}
