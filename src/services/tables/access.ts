import { requireAccess, type Decide } from "#platform/auth/access.ts";
import type { Caller } from "#platform/auth/caller.ts";
import { ENDPOINTS, STEPS } from "./definitions/event-tables.ts";
import { CODES } from "./protocol/refusals.ts";

/** What can be done with the rows of one table. */
export const PRIVILEGES = {
  append: "Svc.Tables/environments/tables/append/action",
  appendTo: "Svc.Tables/environments/tables/appendTo/action",
  create: "Svc.Tables/environments/tables/create/action",
  delete: "Svc.Tables/environments/tables/delete",
  read: "Svc.Tables/environments/tables/read",
  retain: "Svc.Tables/environments/tables/retain/action",
  write: "Svc.Tables/environments/tables/write",
} as const;
export type Privilege = keyof typeof PRIVILEGES;

/** What can be done with the tables themselves and on behalf of others. */
export const GENERAL_PRIVILEGES = {
  customize: "Svc.Tables/environments/customize/action",
  impersonate: "Svc.Tables/environments/impersonate/action",
} as const;
export type GeneralPrivilege = keyof typeof GENERAL_PRIVILEGES;

/** Who decides what is sent where sees the rows of every table. */
const CONFIGURATION: ReadonlySet<string> = new Set([ENDPOINTS, STEPS]);

export interface Access {
  /** Refuses with 403 what the caller may not do with rows of a table. */
  readonly require: (caller: Caller, privilege: Privilege, logicalName: string) => void;
  readonly requireGeneral: (caller: Caller, privilege: GeneralPrivilege) => void;
}

/** `scope` is the path of the environment; a table is one below it. */
export function createAccess(decide: Decide, scope: string): Access {
  const plane = "data";
  function requireGeneral(caller: Caller, privilege: GeneralPrivilege): void {
    const request = { action: GENERAL_PRIVILEGES[privilege], scope };
    requireAccess(decide, caller, { ...request, plane }, CODES.PrivilegeDenied);
  }
  return {
    require(caller, privilege, logicalName) {
      if (CONFIGURATION.has(logicalName)) requireGeneral(caller, "customize");
      const request = { action: PRIVILEGES[privilege], scope: `${scope}/tables/${logicalName}` };
      requireAccess(decide, caller, { ...request, plane }, CODES.PrivilegeDenied);
    },
    requireGeneral,
  };
}
