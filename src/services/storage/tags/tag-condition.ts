import { Problem } from "#platform/problem.ts";
import { parseTagExpression, TagExpressionError } from "./tag-expression.ts";
import { readTags } from "./tags.ts";

/** Whether stored tags meet a condition. */
export type TagCondition = (stored: string | null) => boolean;

/** The condition of `x-svc-if-tags`; undefined where none was sent. */
export function parseTagCondition(
  name: string,
  value: string | undefined,
): TagCondition | undefined {
  if (value === undefined) return undefined;
  try {
    const { holds } = parseTagExpression(value, "condition");
    return (stored) => {
      const tags = readTags(stored);
      return holds((tag) => tags[tag]);
    };
  } catch (error) {
    if (!(error instanceof TagExpressionError)) throw error;
    const said = `${name} is "${value}", which is no condition on tags: ${error.message}.`;
    throw new Problem(400, "InvalidHeaderValue", said, {
      fields: { HeaderName: name, HeaderValue: value },
    });
  }
}
