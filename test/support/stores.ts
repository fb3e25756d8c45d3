import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import type { StoreLocation } from "#platform/store/store.ts";
import { startPostgres, type TestPostgres } from "./postgres.ts";

/** A kind of place for a store, and how to get an empty one of it. */
export interface StoreEngine {
  readonly name: string;
  /** Whether what is written is there when the same location is opened again. */
  readonly lasting: boolean;
  /** Whether several programs may have the same location open. */
  readonly shared: boolean;
  readonly location: () => Promise<StoreLocation>;
}

/** All engines; called in a suite, it starts and stops with the suite what they need. */
export function storeEngines(): readonly StoreEngine[] {
  let count = 0;
  let folder = "";
  let server: TestPostgres | undefined;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "atoll-store-"));
    server = await startPostgres();
  });
  after(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  async function schema(): Promise<StoreLocation> {
    if (server === undefined) throw new Error("The server is started before the first test.");
    const url = await server.url("stores");
    return { kind: "postgres", url, schema: `schema_${(count += 1)}` };
  }
  return [
    {
      name: "in memory",
      lasting: false,
      shared: false,
      location: async () => ({ kind: "memory" }),
    },
    {
      name: "in a file",
      lasting: true,
      shared: false,
      location: async () => ({
        kind: "sqlite",
        file: join(folder, `${(count += 1)}`, "notes.sqlite"),
      }),
    },
    { name: "in Postgres", lasting: true, shared: true, location: schema },
  ];
}
