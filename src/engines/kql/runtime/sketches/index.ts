import type { Json } from "../../types.ts";
import { isArray } from "../dynamic/json.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { pointOf } from "../series/series.ts";
import { variadicFunction } from "../variadic-function.ts";
import { countHll, hllOf, isHll, mergeHlls } from "./hyperloglog.ts";
import {
  isTdigest,
  mergeTdigests,
  tdigestOf,
  tdigestPercentile,
  tdigestPercentRank,
  tdigestRank,
} from "./tdigest.ts";

/**
 * Small states of many values, as dynamic arrays that can be stored and merged. Those that end in
 * `_of` stand for aggregates: they take all values of a group as one array. Those that merge leave
 * out what is null, which only `any` arguments may be.
 */
export const sketchFunctions: readonly RuntimeFunction[] = [
  runtimeFunction("hll_of", ["dynamic", "long?"], "dynamic", hllOf),
  runtimeFunction("hll_merge_of", ["dynamic"], "dynamic", (states) => mergeHlls(statesOf(states))),
  variadicFunction({ name: "hll_merge", first: [], rest: "any", returns: "dynamic" }, mergeHlls),
  runtimeFunction("dcount_hll", ["dynamic"], "long", countHll),
  runtimeFunction("hll_isvalid", ["dynamic?"], "bool", isHll),
  runtimeFunction(
    "dcount_of",
    ["dynamic", "long?"],
    "long",
    (values, accuracy) => countHll(hllOf(values, accuracy)) ?? 0n,
  ),
  runtimeFunction("tdigest_of", ["dynamic", "dynamic?"], "dynamic", tdigestOf),
  ...["tdigest_merge_of", "merge_tdigest_of"].map((name) =>
    runtimeFunction(name, ["dynamic"], "dynamic", (states) => mergeTdigests(statesOf(states))),
  ),
  ...["tdigest_merge", "merge_tdigest"].map((name) =>
    variadicFunction({ name, first: [], rest: "any", returns: "dynamic" }, mergeTdigests),
  ),
  runtimeFunction("tdigest_isvalid", ["dynamic?"], "bool", isTdigest),
  runtimeFunction("percentile_tdigest", ["dynamic", "real"], "dynamic", tdigestPercentile),
  runtimeFunction("percentiles_array_tdigest", ["dynamic", "dynamic"], "dynamic", percentiles),
  variadicFunction(
    { name: "percentiles_array_tdigest", first: ["dynamic"], rest: "real", returns: "dynamic" },
    percentiles,
  ),
  ...(["real", "long", "int", "datetime", "timespan"] as const).flatMap((type) => [
    runtimeFunction("rank_tdigest", ["dynamic", type], "real", tdigestRank),
    runtimeFunction("percentrank_tdigest", ["dynamic", type], "real", tdigestPercentRank),
  ]),
];

/** A single state is an array itself: its first element is its name. */
function statesOf(states: Json): readonly Json[] {
  return isArray(states) && typeof states[0] !== "string" ? states : [states];
}

function listOf(states: Json): readonly Json[] {
  return isArray(states) ? states : [states];
}

function percentiles(state: Json, percentages: Json): Json {
  if (!isTdigest(state)) return null;
  return listOf(percentages).map((percentage) => {
    const share = pointOf(percentage);
    return share === null ? null : tdigestPercentile(state, share);
  });
}
