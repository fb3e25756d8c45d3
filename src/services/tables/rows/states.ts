import { Problem } from "#platform/problem.ts";
import type { Table } from "../definitions/table.ts";
import type { State } from "../definitions/types.ts";
import { CODES } from "../protocol/refusals.ts";
import type { Cell, Row } from "../storage/sql.ts";

/**
 * The state and status of a row after a change. A state alone brings its default status, a status
 * alone has to belong to the state that the row has.
 */
export function statesAfter(
  table: Table,
  changed: ReadonlyMap<string, Cell>,
  before: Row | undefined,
): ReadonlyMap<string, Cell> {
  const isNamed = changed.has("statecode") || changed.has("statuscode");
  if (table.states.length === 0 || (before !== undefined && !isNamed)) return new Map();
  const state = stateAfter(table, changed, before);
  const isKept = before?.["statecode"] === state.value;
  const usual = isKept ? before?.["statuscode"] : state.defaultStatus;
  const status = changed.get("statuscode") ?? usual ?? state.defaultStatus;
  requireStatusOf(table, state, status);
  return new Map([
    ["statecode", state.value],
    ["statuscode", status],
  ]);
}

function stateAfter(
  { states, logicalName }: Table,
  changed: ReadonlyMap<string, Cell>,
  before: Row | undefined,
): State {
  const value = changed.get("statecode") ?? before?.["statecode"];
  const state = states.find((one) => one.value === value) ?? states[0];
  if (state === undefined) throw new Error(`${logicalName} has no states.`);
  return state;
}

function requireStatusOf({ logicalName }: Table, state: State, status: Cell): void {
  if (state.statuses.some((one) => one.value === status)) return;
  const known = state.statuses.map((one) => `${one.value} (${one.label})`).join(", ");
  throw new Problem(
    400,
    CODES.StatusNotOfState,
    `${status} is not a valid statuscode for the statecode ${state.value} (${state.label}) of ` +
      `${logicalName}; valid are ${known}.`,
  );
}
