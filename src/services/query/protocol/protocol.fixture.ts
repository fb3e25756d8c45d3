import type { KqlColumn } from "#engines/kql/types.ts";
import { toFault } from "./errors.ts";
import { parseOptions } from "./options.ts";
import type { Activity, DataSet, ResultTable } from "./result.ts";
import { createMeter, limitsOf } from "./truncation.ts";
import type { WriteOptions } from "./v2.ts";

const AT = new Date("2026-01-02T03:04:05.678Z");

export const ACTIVITY: Activity = {
  activityId: "11111111-1111-4111-8111-111111111111",
  clientRequestId: "me;1",
  startedAt: AT,
  now: () => AT,
};

export const X: readonly KqlColumn[] = [{ name: "x", type: "long" }];

/** A table whose chunks are given; an error among them is thrown when it is reached. */
export function tableOf(
  columns: readonly KqlColumn[],
  chunks: readonly (readonly string[] | Error)[],
): ResultTable {
  async function* rows() {
    for (const chunk of chunks) {
      if (chunk instanceof Error) throw chunk;
      yield chunk;
    }
  }
  return { columns, rows: rows() };
}

export function dataSetOf(...tables: readonly ResultTable[]): DataSet {
  async function* all() {
    yield* tables;
  }
  return { plans: tables.map(({ columns }) => ({ columns })), tables: all() };
}

export function writing(options: Readonly<Record<string, unknown>> = {}): WriteOptions {
  const parsed = parseOptions(options);
  return {
    options: parsed,
    activity: ACTIVITY,
    meter: createMeter(limitsOf(parsed, { recordsMax: 500_000, bytesMax: 1_000_000 })),
    faultOf: (error) => toFault(error),
    isCancelled: () => false,
  };
}

/** All of a text, and what JSON it is. */
export async function written(texts: AsyncIterable<string>) {
  let text = "";
  for await (const piece of texts) text += piece;
  return { text, json: JSON.parse(text) as unknown };
}
