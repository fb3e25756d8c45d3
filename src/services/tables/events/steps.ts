import { ENDPOINTS, STEPS } from "../definitions/event-tables.ts";
import type { Message } from "../definitions/types.ts";
import { quoted, sql, type Reader, type Row } from "../storage/sql.ts";

/** Who wants to know of an event, and how it is sent there. */
export interface Step {
  readonly id: string;
  readonly name: string;
  readonly message: string;
  /** Undefined for all tables. */
  readonly table: string | undefined;
  readonly stage: 20 | 40;
  /** Asked before anything is committed; a refusal undoes it. */
  readonly isSynchronous: boolean;
  readonly rank: number;
  readonly endpoint: Endpoint;
}

export interface Endpoint {
  readonly url: string;
  readonly authType: number | undefined;
  /** Sealed. */
  readonly authValue: string | undefined;
}

/** The steps that are registered and enabled, in memory: every write asks for them. */
export interface Steps {
  readonly matching: (table: string, message: Message) => readonly Step[];
  readonly find: (id: string) => Step | undefined;
  readonly hasSynchronous: () => boolean;
  readonly isEmpty: () => boolean;
  /** Reads them anew. */
  readonly load: (reader: Reader) => Promise<void>;
}

export function createSteps(): Steps {
  let steps: readonly Step[] = [];
  return {
    matching: (table, message) =>
      steps.filter((one) => one.message === message && (one.table ?? table) === table),
    find: (id) => steps.find((one) => one.id === id),
    hasSynchronous: () => steps.some(({ isSynchronous }) => isSynchronous),
    isEmpty: () => steps.length === 0,
    async load(reader) {
      const rows = await reader.rows(
        sql(
          `select s.*, e.url as url, e.authtype as authtype, e.authvalue as authvalue ` +
            `from ${quoted(`rows_${STEPS}`)} s join ${quoted(`rows_${ENDPOINTS}`)} e ` +
            "on e.serviceendpointid = s.eventhandler where s.statecode = ?",
          [0],
        ),
      );
      steps = rows.map(stepOf).toSorted((a, b) => a.rank - b.rank);
    },
  };
}

function stepOf(row: Row): Step {
  const table = row["primaryobjecttypecode"];
  return {
    id: String(row["sdkmessageprocessingstepid"]),
    name: String(row["name"] ?? row["sdkmessageprocessingstepid"]),
    message: String(row["messagename"]),
    table: typeof table === "string" && table !== "none" && table !== "" ? table : undefined,
    stage: row["stage"] === 20 ? 20 : 40,
    isSynchronous: row["mode"] === 0,
    rank: Number(row["rank"] ?? 1),
    endpoint: endpointOf(row),
  };
}

function endpointOf(row: Row): Endpoint {
  const { authtype, authvalue } = row;
  return {
    url: String(row["url"]),
    authType: typeof authtype === "number" ? authtype : undefined,
    authValue: typeof authvalue === "string" ? authvalue : undefined,
  };
}
