import { Problem } from "#platform/problem.ts";
import type { Table } from "../definitions/table.ts";
import { badArgument, CODES } from "../protocol/refusals.ts";
import type { Row } from "../storage/sql.ts";
import { etagOf } from "./find.ts";

/** What has to hold of a row before it is changed. */
export type Precondition =
  | { readonly kind: "absent" }
  | { readonly kind: "any" }
  | { readonly kind: "etag"; readonly etag: string }
  | { readonly kind: "none" };

const ETAG = /^(?:W\/)?"(\d+)"$/;

/** Reads `If-Match` and `If-None-Match`; many clients send a literal `null` with everything. */
export function preconditionOf(headers: {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}): Precondition {
  const { ifMatch, ifNoneMatch } = headers;
  const isAbsent = ifNoneMatch === "*";
  if (ifMatch === undefined || ifMatch === "null") return { kind: isAbsent ? "absent" : "none" };
  if (isAbsent) throw badArgument("If-Match and If-None-Match contradict each other.");
  if (ifMatch === "*") return { kind: "any" };
  const [, version] = ETAG.exec(ifMatch) ?? [];
  if (version === undefined) {
    throw badArgument(`The If-Match header ${ifMatch} is neither * nor an etag such as W/"1".`);
  }
  return { kind: "etag", etag: `W/"${version}"` };
}

/** Whether the row is the one that the client has already. */
export function isUnchanged(row: Row, ifNoneMatch: string | undefined): boolean {
  const [, version] = ETAG.exec(ifNoneMatch ?? "") ?? [];
  return version !== undefined && etagOf(row) === `W/"${version}"`;
}

/** Refuses with 412 when the row is not as the client expects it. */
export function requirePrecondition(
  table: Table,
  precondition: Precondition,
  row: Row | undefined,
): void {
  if (precondition.kind === "absent" && row !== undefined) {
    throw new Problem(
      412,
      CODES.DuplicateRecord,
      `A record of ${table.logicalName} with matching key values already exists.`,
    );
  }
  if (precondition.kind !== "etag" || row === undefined) return;
  if (etagOf(row) === precondition.etag) return;
  throw new Problem(
    412,
    CODES.VersionMismatch,
    `The version of the existing record is ${etagOf(row)} and not ${precondition.etag}.`,
  );
}
