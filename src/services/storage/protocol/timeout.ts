import { Problem } from "#platform/problem.ts";

/** The query parameter `timeout` in milliseconds; undefined without one. Any operation has it. */
export function parseTimeout(query: ReadonlyMap<string, string>): number | undefined {
  const value = query.get("timeout");
  if (value === undefined) return undefined;
  if (/^\d{1,6}$/.test(value) && Number(value) > 0) return Number(value) * 1000;
  const said = `timeout is "${value}", which is no number of seconds above 0.`;
  throw new Problem(400, "InvalidQueryParameterValue", said, {
    fields: {
      QueryParameterName: "timeout",
      QueryParameterValue: value,
      Reason: "It is a whole number of seconds, at least 1.",
    },
  });
}
