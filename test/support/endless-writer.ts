import { writeSync } from "node:fs";
import { openStore } from "#platform/store/open-store.ts";
import type { Migration } from "#platform/store/store.ts";

const WRITERS = 16;
const STDOUT = 1;

export interface EntryTables {
  entry: { readonly id: number };
}

export const migrations: readonly Migration[] = [
  async ({ schema }, { integer }) => {
    await schema
      .createTable("entry")
      .addColumn("id", integer, (column) => column.primaryKey())
      .execute();
  },
];

/** Writes numbers from `first` on until it is killed, and prints each once it is acknowledged. */
async function writeForEver(file: string, first: number): Promise<void> {
  const store = await openStore<EntryTables>({ location: { kind: "sqlite", file }, migrations });
  let next = first;
  async function writer(): Promise<never> {
    for (;;) {
      const id = next;
      next += 1;
      await store.write(async (transaction) => {
        await transaction.insertInto("entry").values({ id }).execute();
      });
      writeSync(STDOUT, `${id}\n`);
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

if (import.meta.main) {
  const [, , file = "", first = "0"] = process.argv;
  await writeForEver(file, Number(first));
}
