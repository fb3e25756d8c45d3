import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "#platform/problem.ts";
import { parseConditions, type Conditions } from "../protocol/conditions.ts";

/** The conditions of a write to a container, which knows those on dates only. */
export function parseDateConditions(headers: IncomingHttpHeaders, what: string): Conditions {
  const conditions = parseConditions(headers);
  const { ifMatch, ifNoneMatch, ifTags } = conditions;
  if ((ifMatch ?? ifNoneMatch ?? ifTags) === undefined) return conditions;
  const said = `${what} takes If-Modified-Since and If-Unmodified-Since only.`;
  throw new Problem(400, "ConditionHeadersNotSupported", said);
}
