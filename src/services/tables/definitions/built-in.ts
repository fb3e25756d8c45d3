import { eventTables } from "./event-tables.ts";
import { interactions } from "./interactions.ts";
import { referencingTables } from "./referencing-tables.ts";
import { businessUnit, opportunity, systemUser, team } from "./system-tables.ts";
import type { TableDefinition } from "./types.ts";

/** The tables that are always there. */
export const BUILT_IN_TABLES: readonly TableDefinition[] = [
  interactions,
  opportunity,
  systemUser,
  team,
  businessUnit,
  ...referencingTables,
  ...eventTables,
];
