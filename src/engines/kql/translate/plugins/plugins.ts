import { bagUnpack } from "./bag-unpack.ts";
import { pivot } from "./pivot.ts";
import { cohortPlugins } from "./cohorts.ts";
import { funnelCompletion } from "./funnels.ts";
import { lookupPlugins } from "./lookups.ts";
import type { Plugin } from "./plugin.ts";
import { narrow, rowsNear } from "./row-plugins.ts";
import { timelinePlugins } from "./timelines.ts";

/** What `evaluate` can call. */
export const plugins: ReadonlyMap<string, Plugin> = new Map<string, Plugin>([
  ["bag_unpack", bagUnpack],
  ["funnel_sequence_completion", funnelCompletion],
  ["narrow", narrow],
  ["pivot", pivot],
  ["rows_near", rowsNear],
  ...Object.entries(cohortPlugins),
  ...Object.entries(lookupPlugins),
  ...Object.entries(timelinePlugins),
]);

const RUNS_CODE = "is not supported: it would run code of the query on this machine";
const UNPUBLISHED = "is not supported: how the service picks its patterns is not published";
const REACHES_OUT = "is not supported: queries do not reach other services";

/** What `evaluate` refuses for good, and why. */
export const REFUSED_PLUGINS: ReadonlyMap<string, string> = new Map([
  ["python", RUNS_CODE],
  ["r", RUNS_CODE],
  ["sql_request", REACHES_OUT],
  ["mysql_request", REACHES_OUT],
  ["postgresql_request", REACHES_OUT],
  ["cosmosdb_sql_request", REACHES_OUT],
  ["azure_digital_twins_query_request", REACHES_OUT],
  ["http_request", REACHES_OUT],
  ["http_request_post", REACHES_OUT],
  ["ai_embeddings", REACHES_OUT],
  ["ai_embed_text", REACHES_OUT],
  ["ai_chat_completion", REACHES_OUT],
  ["ai_chat_completion_prompt", REACHES_OUT],
  ["autocluster", UNPUBLISHED],
  ["basket", UNPUBLISHED],
  ["diffpatterns", UNPUBLISHED],
  ["diffpatterns_text", UNPUBLISHED],
  ["schema_merge", "is not supported: it is about schemas of other clusters"],
  ["infer_storage_schema", "is not supported: name the columns of the data yourself"],
  ["infer_storage_schema_with_suggestions", "is not supported: name the columns yourself"],
]);
