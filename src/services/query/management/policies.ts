import { KqlError } from "#engines/kql/kql-error.ts";
import type { Json } from "#engines/kql/types.ts";
import { tableOf } from "../catalog/catalog-schema.ts";
import { deletePolicy, parsePolicy, policiesOf, setPolicy } from "../catalog/policies.ts";
import { durationMs, timespanText } from "../protocol/durations.ts";
import { change, show, type CommandCall, type CommandDefinition, type Need } from "./command.ts";
import { argumentsNamed, maybeArgument, type ParsedCommand } from "./parsed-command.ts";
import { columnsOf, type CommandResult } from "./result.ts";
import { named } from "./show/databases.ts";

const POLICY = columnsOf("PolicyName, EntityName, Policy, ChildEntities, EntityType");
const KIND = /^(Show|Alter|AlterMerge|Delete)(Cluster|Database|Tables|TableStar|Table)Policy(\w+)$/;

/** Policies that may be set: hints that change no answer, and retention, which is enforced. */
const SETTABLE = [
  "caching",
  "ingestionbatching",
  "merge",
  "retention",
  "sharding",
  "streamingingestion",
] as const;
type Settable = (typeof SETTABLE)[number];

interface PolicyKind {
  readonly verb: string;
  readonly entity: string;
  /** In lower case. */
  readonly policy: string;
}

/** The command about policies of this kind, as all of them are run in one way. */
export function policyCommand(kind: string): CommandDefinition | undefined {
  const [found, verb = "", entity = "", policy = ""] = KIND.exec(kind) ?? [];
  if (found === undefined) return undefined;
  const parts = { verb, entity, policy: policy.toLowerCase() };
  const at = needAt(entity);
  if (verb === "Show") {
    return show({ action: "readSchema", at }, (call) => showPolicy(call, parts));
  }
  return change({ action: at === "cluster" ? "manageCluster" : "manage", at }, (call) =>
    alter(call, parts),
  );
}

function needAt(entity: string): Need["at"] {
  if (entity === "Cluster") return "cluster";
  return entity === "Table" ? "table" : "database";
}

interface Target {
  readonly database?: string;
  readonly table?: string;
}

/** What the command is about: one thing, or several tables. */
function targetsOf(call: CommandCall, entity: string): Target[] {
  if (entity === "Cluster") return [{}];
  const { database, command } = call;
  if (entity === "Database") return [{ database: named(call).name }];
  const all = entity === "TableStar" ? database.tables.map(({ name }) => name) : undefined;
  const names = all ?? argumentsNamed(command, "TableName");
  return names.map((name) => ({ database: database.name, table: tableOf(database, name).name }));
}

function showPolicy(call: CommandCall, { entity, policy }: PolicyKind): CommandResult {
  const rows = targetsOf(call, entity).map((target) => {
    return row(target, policy, policiesOf(call.context.catalog, target)[policy] ?? null);
  });
  return { columns: POLICY, rows };
}

async function alter(call: CommandCall, parts: PolicyKind): Promise<CommandResult> {
  const { catalog } = call.context;
  const name = settable(parts.policy);
  const isDelete = parts.verb === "Delete";
  const policy = isDelete ? null : policyOf(call.command, name);
  const rows: CommandResult["rows"][number][] = [];
  for (const target of targetsOf(call, parts.entity)) {
    if (isDelete) await deletePolicy(catalog, target, name);
    else await setPolicy(catalog, target, { name, policy, merge: parts.verb === "AlterMerge" });
    rows.push(row(target, name, policiesOf(catalog, target)[name] ?? null));
  }
  return { columns: POLICY, rows };
}

function settable(policy: string): Settable {
  const name = SETTABLE.find((one) => one === policy);
  if (name !== undefined) return name;
  const others = `those that can are ${SETTABLE.join(", ")}`;
  const said = `The policy ${policy} cannot be set here; ${others}.`;
  throw new KqlError("unsupported", said);
}

function row({ database, table }: Target, policy: string, value: Json) {
  const entity = [database, table].filter((name) => name !== undefined);
  const text = value === null ? "null" : JSON.stringify(value);
  const type = ["", "Database", "Table"][entity.length] ?? "";
  const shown = entity.map((name) => `[${name}]`).join(".");
  return [POLICY_TITLES[policy] ?? policy, shown, text, "", type];
}

const POLICY_TITLES: Readonly<Record<string, string>> = {
  caching: "CachingPolicy",
  ingestionbatching: "IngestionBatchingPolicy",
  merge: "ExtentsMergePolicy",
  retention: "RetentionPolicy",
  sharding: "ShardingPolicy",
  streamingingestion: "StreamingIngestionPolicy",
};

/** The policy in JSON, or in the words of the command. */
function policyOf(command: ParsedCommand, name: Settable): Json {
  const text = command.arguments.find(({ value }) => /^\s*[[{]|^\s*null\s*$/.test(value))?.value;
  if (text !== undefined) return parsePolicy(name, text);
  if (name === "retention") return retention(command);
  if (name === "caching") return caching(command);
  if (name === "streamingingestion") {
    return { IsEnabled: maybeArgument(command, "Status")?.toLowerCase() === "enable" };
  }
  throw new KqlError("semantic", `The policy ${name} is given as a JSON text.`);
}

function retention(command: ParsedCommand): Json {
  const period = maybeArgument(command, "SoftDeleteValue");
  const recoverability =
    maybeArgument(command, "RecoverabilityValue") ?? maybeArgument(command, "Recoverability");
  return {
    ...(period !== undefined && { SoftDeletePeriod: spanText(period) }),
    ...(recoverability !== undefined && {
      Recoverability: recoverability.toLowerCase() === "enabled" ? "Enabled" : "Disabled",
    }),
  };
}

function caching(command: ParsedCommand): Json {
  const spans = command.arguments.filter(({ value }) => durationMs(value) !== undefined);
  const [data, index = data] = spans.map(({ value }) => spanText(value));
  if (data === undefined || index === undefined) {
    throw new KqlError("semantic", "The policy caching names a time span: hot = 7d.");
  }
  return { DataHotSpan: data, IndexHotSpan: index };
}

function spanText(text: string): string {
  const ms = durationMs(text);
  if (ms !== undefined) return timespanText(ms);
  throw new KqlError("semantic", `'${text}' is no time span such as 7d.`);
}
