import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { sql } from "kysely";
import { storeEngines } from "../../../test/support/stores.ts";
import { NewerStoreError } from "./migrations.ts";
import { openStore } from "./open-store.ts";
import type { Migration, StoreLocation } from "./store.ts";

interface CoralTables {
  coral: { readonly name: string; readonly depthM: number };
}

const createCorals: Migration = async ({ schema }, { text }) => {
  await schema.createTable("coral").addColumn("name", text).execute();
};

const addDepth: Migration = async (db, { integer }) => {
  await db.schema.alterTable("coral").addColumn("depth_m", integer).execute();
  await sql`insert into coral (name, depth_m) values ('brain', 5)`.execute(db);
};

const doubleDepth: Migration = async (db) => {
  await sql`update coral set depth_m = depth_m * 2`.execute(db);
};

const failHalfway: Migration = async (db, types) => {
  await doubleDepth(db, types);
  await db.schema.createTable("half").addColumn("id", types.integer).execute();
  throw new Error("halfway");
};

/** Opens the store with these steps, reads the corals and closes it. */
async function corals(location: StoreLocation, migrations: readonly Migration[]) {
  const store = await openStore<CoralTables>({ location, migrations });
  try {
    return await store.db.selectFrom("coral").selectAll().execute();
  } finally {
    await store.close();
  }
}

suite("migrations", () => {
  for (const { name, lasting, shared, location } of storeEngines()) {
    suite(name, () => {
      test("are applied in their order", async () => {
        const found = await corals(await location(), [createCorals, addDepth, doubleDepth]);
        assert.deepEqual(found, [{ name: "brain", depthM: 10 }]);
      });

      test("that fail end the opening with their error", async () => {
        const opening = corals(await location(), [createCorals, addDepth, failHalfway]);
        await assert.rejects(opening, { message: "halfway" });
      });

      if (lasting) lastingMigrations(location);
      if (shared) sharedMigrations(location);
    });
  }
});

function lastingMigrations(location: () => Promise<StoreLocation>): void {
  const once: Migration[] = [createCorals, addDepth];
  const twice: Migration[] = [createCorals, addDepth, doubleDepth];

  test("are applied once each, however often the store is opened", async () => {
    const place = await location();
    assert.deepEqual(await corals(place, once), [{ name: "brain", depthM: 5 }]);
    assert.deepEqual(await corals(place, twice), [{ name: "brain", depthM: 10 }]);
    assert.deepEqual(await corals(place, twice), [{ name: "brain", depthM: 10 }]);
  });

  test("that fail leave everything as it was, and can be tried again", async () => {
    const place = await location();
    const half: Migration[] = [...once, failHalfway];
    await assert.rejects(corals(place, half), { message: "halfway" });
    await assert.rejects(corals(place, half), { message: "halfway" });
    assert.deepEqual(await corals(place, once), [{ name: "brain", depthM: 5 }]);
    assert.deepEqual(await corals(place, twice), [{ name: "brain", depthM: 10 }]);
  });

  test("of a newer program are left alone, with a sentence on what to do", async () => {
    const place = await location();
    await corals(place, twice);
    const refusal: unknown = await corals(place, once).catch((error: unknown) => error);
    assert.ok(refusal instanceof NewerStoreError);
    const where = place.kind === "postgres" ? `Schema ${place.schema}` : placeFile(place);
    assert.equal(
      refusal.message,
      `${where} was written by a newer Atoll: its version is 3, this Atoll knows 2. ` +
        "Start the newer Atoll, or choose another data folder with --data.",
    );
    assert.deepEqual(await corals(place, twice), [{ name: "brain", depthM: 10 }]);
  });
}

function sharedMigrations(location: () => Promise<StoreLocation>): void {
  test("wait for each other when several programs open the store at once", async () => {
    const place = await location();
    const steps = [createCorals, addDepth, doubleDepth];
    const found = await Promise.all(Array.from({ length: 4 }, () => corals(place, steps)));
    const expected = [{ name: "brain", depthM: 10 }];
    assert.deepEqual(found, [expected, expected, expected, expected]);
  });
}

function placeFile(place: StoreLocation): string {
  return place.kind === "sqlite" ? place.file : "";
}
