import { KqlError } from "#engines/kql/kql-error.ts";
import type { Place } from "../access.ts";
import { principalNamed, type Principal, type RoleGrant } from "../principals.ts";
import { COMMAND_ROLES, queryRoles } from "../roles.ts";
import { change, databaseNameOf, placeOf, show } from "./command.ts";
import type { CommandCall, Commands, Need } from "./command.ts";
import { argument, argumentsNamed, maybeArgument } from "./parsed-command.ts";
import { columnsOf, type CommandResult } from "./result.ts";

const PRINCIPALS = columnsOf(
  "Role, PrincipalType, PrincipalDisplayName, PrincipalObjectId, PrincipalFQN, Notes, " +
    "RoleAssignmentIdentifier",
);
const ROLES = columnsOf("Scope, DisplayName, AADObjectID, Role");

const ENTITIES = ["Cluster", "Database", "Table", "Function"] as const;
type Entity = (typeof ENTITIES)[number];

/** Commands that show and change who may do what; they are role assignments underneath. */
export const principalCommands: Commands = {
  ...Object.fromEntries(ENTITIES.flatMap(commandsOf)),
  ShowPrincipalRoles: show("own", showRolesOf),
};

function commandsOf(entity: Entity) {
  const at = needAt(entity);
  const read = { action: "readPrincipals", at } as const;
  const write = { action: "writePrincipals", at } as const;
  return [
    [`Show${entity}Principals`, show(read, (call) => list(call, at))],
    [`Show${entity}PrincipalRoles`, show("own", (call) => showOwnRoles(call, at))],
    [`Add${entity}Role`, change(write, (call) => add(call, at))],
    [`Drop${entity}Role`, change(write, (call) => drop(call, at))],
    [`Set${entity}Role`, change(write, (call) => set(call, at))],
  ] as const;
}

function needAt(entity: Entity): Need["at"] {
  const places = { Cluster: "cluster", Database: "database", Table: "table" } as const;
  return entity === "Function" ? "function" : places[entity];
}

function here(call: CommandCall, at: Need["at"]): Place {
  return placeOf(call, { action: "readPrincipals", at });
}

const ROLE_IDS = queryRoles.map(({ id }) => id);

/** The grants that hold at a place: there and above it. */
async function grantsAt({ context }: CommandCall, place: Place): Promise<readonly RoleGrant[]> {
  const scope = `${context.access.scopeOf(place)}/`.toLowerCase();
  const grants = await context.principals.list(ROLE_IDS);
  return grants.filter((grant) => {
    return scope.startsWith(`${grant.scope.replace(/\/$/, "")}/`.toLowerCase());
  });
}

async function list(call: CommandCall, at: Need["at"]): Promise<CommandResult> {
  const grants = await grantsAt(call, here(call, at));
  return { columns: PRINCIPALS, rows: grants.map((grant) => principalRow(call, grant)) };
}

function principalRow({ context }: CommandCall, grant: RoleGrant) {
  const { principalObjectId, principalType, description, id } = grant;
  const name = context.principals.find(principalObjectId)?.displayName ?? principalObjectId;
  const prefix = { User: "aaduser", Group: "aadgroup" }[principalType] ?? "aadapp";
  return [
    roleTitle(grant, scopeTitle(grant.scope)),
    principalType === "ServicePrincipal" ? "AAD Application" : `AAD ${principalType}`,
    name,
    principalObjectId,
    `${prefix}=${principalObjectId}`,
    description,
    id,
  ];
}

/** `Database X Admin`, `AllDatabasesViewer` */
function roleTitle({ roleDefinitionId }: RoleGrant, place: string): string {
  const role = queryRoles.find(({ id }) => id === roleDefinitionId)?.roleName ?? "";
  return `${place}${role.replace(/^Query /, "")}`;
}

function scopeTitle(scope: string): string {
  const [, kind = "", name = ""] = /\/(databases|tables|functions)\/([^/]+)$/i.exec(scope) ?? [];
  const title = { databases: "Database", tables: "Table", functions: "Function" }[
    kind.toLowerCase()
  ];
  return title === undefined ? "AllDatabases" : `${title} ${name} `;
}

async function add(call: CommandCall, at: Need["at"]): Promise<CommandResult> {
  const { context, caller, command } = call;
  const place = here(call, at);
  for (const { objectId } of principalsOf(call)) {
    await context.principals.grant(caller, {
      principalObjectId: objectId,
      roleDefinitionId: roleOf(call),
      scope: context.access.scopeOf(place),
      description: maybeArgument(command, "Notes") ?? "",
    });
  }
  return changed(call, at);
}

async function drop(call: CommandCall, at: Need["at"]): Promise<CommandResult> {
  const chosen = new Set(principalsOf(call).map(({ objectId }) => objectId));
  await revoke(call, at, ({ principalObjectId }) => chosen.has(principalObjectId));
  return changed(call, at);
}

/** The named principals, and nobody else. */
async function set(call: CommandCall, at: Need["at"]): Promise<CommandResult> {
  const kept = new Set(principalsOf(call).map(({ objectId }) => objectId));
  await add(call, at);
  await revoke(call, at, ({ principalObjectId }) => !kept.has(principalObjectId));
  return changed(call, at);
}

/** Takes back grants of the role that were made at exactly this place. */
async function revoke(
  call: CommandCall,
  at: Need["at"],
  which: (grant: RoleGrant) => boolean,
): Promise<void> {
  const { context, caller } = call;
  const scope = context.access.scopeOf(here(call, at)).toLowerCase();
  for (const grant of await context.principals.list([roleOf(call)])) {
    if (grant.scope.toLowerCase() !== scope || !which(grant)) continue;
    await context.principals.revoke(caller, grant.id);
  }
}

function changed(call: CommandCall, at: Need["at"]): Promise<CommandResult> | CommandResult {
  if (call.command.words.has("skip-results")) return { columns: PRINCIPALS, rows: [] };
  return list(call, at);
}

function roleOf({ command }: CommandCall): string {
  const name = argument(command, "Role").toLowerCase();
  const role = COMMAND_ROLES[name];
  if (role !== undefined) return role;
  const names = Object.keys(COMMAND_ROLES).join(", ");
  throw new KqlError("unsupported", `There is no role '${name}' here; there are ${names}.`);
}

function principalsOf(call: CommandCall): Principal[] {
  return argumentsNamed(call.command, "Principal").map((name) => principalOf(call, name));
}

function principalOf({ context }: CommandCall, written: string): Principal {
  const found = principalNamed(context.principals, written);
  if (found !== undefined) return found;
  throw new KqlError("semantic", `There is no principal '${written}'.`);
}

/** What the caller may do at a place. */
async function showOwnRoles(call: CommandCall, at: Need["at"]): Promise<CommandResult> {
  const grants = await grantsAt(call, here(call, at));
  const own = grants.filter(({ principalObjectId }) => principalObjectId === call.caller.objectId);
  return rolesTable(call, own);
}

async function showRolesOf(call: CommandCall): Promise<CommandResult> {
  const { context, caller, command } = call;
  const written = maybeArgument(command, "Principal");
  const objectId = written === undefined ? caller.objectId : principalOf(call, written).objectId;
  if (objectId !== caller.objectId) {
    context.access.require(caller, "readPrincipals", { database: databaseNameOf(call) });
  }
  const grants = await context.principals.list(ROLE_IDS);
  return rolesTable(
    call,
    grants.filter(({ principalObjectId }) => principalObjectId === objectId),
  );
}

function rolesTable({ context }: CommandCall, grants: readonly RoleGrant[]): CommandResult {
  const rows = grants.map((grant) => {
    const { principalObjectId, scope } = grant;
    const name = context.principals.find(principalObjectId)?.displayName ?? principalObjectId;
    return [scope, name, principalObjectId, roleTitle(grant, scopeTitle(scope))];
  });
  return { columns: ROLES, rows };
}
