import { Problem } from "#platform/problem.ts";
import { SINCE } from "../protocol/versions.ts";

/** How the source itself refused. */
export interface SourceRefusal {
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string | undefined;
}

/**
 * The source of a copy could not be read. The status is the source's own where it gave one; the
 * further elements say which side refused, as callers cannot tell that from the code.
 */
export function cannotVerify(status: number, message: string, source?: SourceRefusal): Problem {
  const { status: sourceStatus, code, message: sourceMessage } = source ?? {};
  // A source may send any number for a status; ours is always that of a refusal.
  const refused = status >= 400 && status <= 599 ? status : 500;
  return new Problem(refused, "CannotVerifyCopySource", message, {
    headers: present({
      "x-svc-copy-source-status-code": sourceStatus?.toString(),
      "x-svc-copy-source-error-code": code,
    }),
    fields: present({
      CopySourceStatusCode: sourceStatus?.toString(),
      CopySourceErrorCode: code,
      CopySourceErrorMessage: sourceMessage,
    }),
  });
}

/** A condition on the source (x-svc-source-if-*) does not hold. */
export function sourceConditionNotMet(version: string): Problem {
  const said = "A condition on the copy source (x-svc-source-if-*) does not hold.";
  if (version < SINCE.sourceConditionCode) return cannotVerify(412, said);
  return new Problem(412, "SourceConditionNotMet", said);
}

export function emptySource(): Problem {
  const said = "x-svc-copy-source names a source without content, and a block cannot be empty.";
  return new Problem(400, "InvalidHeaderValue", said, {
    fields: { HeaderName: "x-svc-copy-source" },
  });
}

function present(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
