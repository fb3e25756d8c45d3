import { sql, type Kysely, type Transaction } from "kysely";
import type { ColumnTypes, Migration } from "./store.ts";

/** The data is of a later version than this program knows. It has been left as it was. */
export class NewerStoreError extends Error {
  override readonly name = "NewerStoreError";

  constructor(where: string, found: number, known: number) {
    super(
      `${where} was written by a newer Atoll: its version is ${found}, ` +
        `this Atoll knows ${known}. ` +
        "Start the newer Atoll, or choose another data folder with --data.",
    );
  }
}

export interface MigrationPlan {
  /** The store in words, for the error; begins a sentence. */
  readonly where: string;
  readonly migrations: readonly Migration[];
  readonly types: ColumnTypes;
  /** Keeps other processes out of the transaction's store until it ends. */
  readonly lock: (transaction: Transaction<unknown>) => Promise<void>;
}

type SchemaTables = { readonly atollSchema: { readonly version: number } };

/**
 * Applies the steps that are missing, each in a transaction that also counts it.
 *
 * @throws {NewerStoreError} when more steps were applied than are known
 */
export async function migrate(db: Kysely<unknown>, plan: MigrationPlan): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await plan.lock(transaction);
    await sql`create table if not exists atoll_schema (version integer not null)`.execute(
      transaction,
    );
  });
  while (await applyNext(db, plan));
}

/** The version is read anew in each step: another process may have applied the one before. */
function applyNext(db: Kysely<unknown>, plan: MigrationPlan): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    await plan.lock(transaction);
    const version = await versionOf(transaction);
    const known = plan.migrations.length;
    if (version > known) throw new NewerStoreError(plan.where, version, known);
    const step = plan.migrations[version];
    if (step === undefined) return false;
    await step(transaction, plan.types);
    await setVersion(transaction, version + 1);
    return true;
  });
}

async function versionOf(transaction: Transaction<unknown>): Promise<number> {
  const tables = transaction.withTables<SchemaTables>();
  const row = await tables.selectFrom("atollSchema").select("version").executeTakeFirst();
  return row?.version ?? 0;
}

async function setVersion(transaction: Transaction<unknown>, version: number): Promise<void> {
  const tables = transaction.withTables<SchemaTables>();
  if (version > 1) await tables.updateTable("atollSchema").set({ version }).execute();
  else await tables.insertInto("atollSchema").values({ version }).execute();
}
