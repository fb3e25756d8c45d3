import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "#platform/problem.ts";
import { headerValue, invalidHeader, requiredHeader } from "../protocol/header-values.ts";
import type { BlobRow } from "../store.ts";

const HEADER = "x-svc-blob-sequence-number";
const ACTION = "x-svc-sequence-number-action";
/** The protocol counts in 64 bits with a sign. */
const NUMBER_MAX = 2n ** 63n - 1n;

type Check = (number: bigint, limit: bigint) => boolean;

const CONDITIONS: readonly (readonly [string, string, Check])[] = [
  ["x-svc-if-sequence-number-le", "at most", (number, limit) => number <= limit],
  ["x-svc-if-sequence-number-lt", "less than", (number, limit) => number < limit],
  ["x-svc-if-sequence-number-eq", "equal to", (number, limit) => number === limit],
];

/** What a write demands of the sequence number: refuses a blob that does not have it with 412. */
export type SequenceConditions = (blob: Pick<BlobRow, "sequenceNumber">) => void;

export function parseSequenceConditions(headers: IncomingHttpHeaders): SequenceConditions {
  const asked = CONDITIONS.flatMap(([name, words, holds]) => {
    const limit = numberHeader(headers, name);
    return limit === undefined ? [] : [{ name, words, holds, limit }];
  });
  return (blob) => {
    const number = BigInt(blob.sequenceNumber ?? "0");
    for (const { name, words, holds, limit } of asked) {
      if (holds(number, limit)) continue;
      const said = `${name}: the sequence number is ${number}, which is not ${words} ${limit}.`;
      throw new Problem(412, "SequenceNumberConditionNotMet", said);
    }
  };
}

/** The number that a request gives a new page blob. */
export function newSequenceNumber(headers: IncomingHttpHeaders): string {
  return String(numberHeader(headers, HEADER) ?? 0n);
}

/**
 * What a request makes of the number; undefined where it says nothing of it. 409 where it would
 * be counted too far.
 */
export function parseSequenceAction(
  headers: IncomingHttpHeaders,
): ((current: bigint) => bigint) | undefined {
  const action = headerValue(headers, ACTION)?.toLowerCase();
  const sent = numberHeader(headers, HEADER);
  if (action === undefined) {
    if (sent === undefined) return undefined;
    requiredHeader(headers, ACTION);
  }
  if (action === "increment") {
    if (sent === undefined) return incremented;
    throw invalidHeader(HEADER, String(sent), `and ${ACTION} is increment, which takes no number`);
  }
  if (action !== "max" && action !== "update") {
    throw invalidHeader(ACTION, action ?? "", "which is none of max, update, increment");
  }
  const wanted = sent ?? BigInt(requiredHeader(headers, HEADER));
  return (current) => (action === "max" && current > wanted ? current : wanted);
}

function incremented(current: bigint): bigint {
  if (current < NUMBER_MAX) return current + 1n;
  const said = `The sequence number is ${current}, the largest one there is.`;
  throw new Problem(409, "SequenceNumberIncrementTooLarge", said);
}

function numberHeader(headers: IncomingHttpHeaders, name: string): bigint | undefined {
  const value = headerValue(headers, name);
  if (value === undefined) return undefined;
  const number = /^\d{1,19}$/.test(value) ? BigInt(value) : NUMBER_MAX + 1n;
  if (number <= NUMBER_MAX) return number;
  throw invalidHeader(name, value, `which is no whole number from 0 to ${NUMBER_MAX}`);
}
