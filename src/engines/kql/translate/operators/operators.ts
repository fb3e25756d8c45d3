import type { Operator } from "./operator.ts";
import { rowOperators } from "./row-operators.ts";
import { columnOperators } from "./column-operators.ts";
import { joinOperators } from "./join-operators.ts";
import { summarizeOperators } from "./summarize.ts";
import { sourceOperators } from "./sources.ts";
import { multiValueOperators } from "./multi-value.ts";
import { orderOperators } from "./order-operators.ts";
import { parseOperators } from "./parse-operators.ts";
import { unionOperators } from "./union.ts";
import { databaseOperators } from "./search.ts";
import { evaluateOperators } from "./evaluate.ts";
import { externalOperators } from "./external-data.ts";
import { functionOperators } from "./invoke.ts";
import { nestedOperators } from "./top-nested.ts";
import { pairOperators } from "./parse-kv.ts";
import { partitionOperators } from "./partition.ts";
import { graphOperators } from "./graph-operators.ts";
import { refusedOperators } from "./refused.ts";
import { scanOperators } from "./scan.ts";
import { seriesOperators } from "./make-series.ts";
import { severalOperators } from "./several-results.ts";
import { topOperators } from "./top-operators.ts";

/** Every operator by the kind of its node. */
export const operators: Readonly<Record<string, Operator>> = {
  ...sourceOperators,
  ...rowOperators,
  ...columnOperators,
  ...orderOperators,
  ...summarizeOperators,
  ...joinOperators,
  ...unionOperators,
  ...multiValueOperators,
  ...parseOperators,
  ...databaseOperators,
  ...evaluateOperators,
  ...externalOperators,
  ...functionOperators,
  ...nestedOperators,
  ...pairOperators,
  ...partitionOperators,
  ...graphOperators,
  ...refusedOperators,
  ...scanOperators,
  ...seriesOperators,
  ...severalOperators,
  ...topOperators,
};
