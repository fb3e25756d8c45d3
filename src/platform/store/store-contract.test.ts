import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { sql } from "kysely";
import { storeEngines, type StoreEngine } from "../../../test/support/stores.ts";
import { openStore } from "./open-store.ts";
import type { Migration, Store } from "./store.ts";
import { isUniqueViolation } from "./unique-violation.ts";

interface NoteRow {
  readonly id: string;
  readonly sizeBytes: number | null;
  readonly content: Uint8Array | null;
}

interface NoteTables {
  note: NoteRow;
}

const createNotes: Migration = async ({ schema }, { text, integer, bytes }) => {
  await schema
    .createTable("note")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("size_bytes", integer)
    .addColumn("content", bytes)
    .execute();
};

type Notes = Store<NoteTables>;

/** An empty store of notes that is closed when the test ends. */
async function notes(engine: StoreEngine, t: TestContext): Promise<Notes> {
  const location = await engine.location();
  const store = await openStore<NoteTables>({ location, migrations: [createNotes] });
  t.after(store.close);
  return store;
}

function note(id: string, sizeBytes: number | null = null, content: Uint8Array | null = null) {
  return { id, sizeBytes, content };
}

async function add(store: Notes, row: NoteRow): Promise<void> {
  await store.write(async (transaction) => {
    await transaction.insertInto("note").values(row).execute();
  });
}

function all({ db }: Notes): Promise<NoteRow[]> {
  return db.selectFrom("note").selectAll().orderBy("id").execute();
}

suite("a store", () => {
  for (const engine of storeEngines()) {
    suite(engine.name, () => {
      suite("writing", () => writing(engine));
      suite("values", () => values(engine));
      suite("misuse", () => misuse(engine));
    });
  }
});

function writing(engine: StoreEngine): void {
  test("shows the next read what was written", async (t) => {
    const store = await notes(engine, t);
    await add(store, note("a", 1));
    assert.deepEqual(await all(store), [note("a", 1)]);
  });

  test("hands on what the work returns", async (t) => {
    const store = await notes(engine, t);
    const deleted = await store.write(async (transaction) => {
      await transaction
        .insertInto("note")
        .values([note("a"), note("b")])
        .execute();
      return transaction.deleteFrom("note").executeTakeFirst();
    });
    assert.equal(deleted.numDeletedRows, 2n);
    assert.deepEqual(await all(store), []);
  });

  test("changes nothing when the work throws, and goes on with the next", async (t) => {
    const store = await notes(engine, t);
    const failing = store.write(async (transaction) => {
      await transaction.insertInto("note").values(note("a")).execute();
      throw new Error("no");
    });
    const next = add(store, note("b"));
    await assert.rejects(failing, { message: "no" });
    await next;
    assert.deepEqual(await all(store), [note("b")]);
  });

  test("keeps all of 1,000 writes that come at once", async (t) => {
    const store = await notes(engine, t);
    const expected = Array.from({ length: 1000 }, (_, index) => note(`${1000 + index}`, index));
    await Promise.all(expected.map((row) => add(store, row)));
    assert.deepEqual(await all(store), expected);
  });

  test("lets one writer at a time look and leap", async (t) => {
    const store = await notes(engine, t);
    await add(store, note("counter", 0));
    const increment = () =>
      store.write(async (transaction) => {
        const counter = await transaction
          .selectFrom("note")
          .select("sizeBytes")
          .executeTakeFirstOrThrow();
        const sizeBytes = (counter.sizeBytes ?? 0) + 1;
        await transaction.updateTable("note").set({ sizeBytes }).execute();
      });
    await Promise.all(Array.from({ length: 50 }, increment));
    assert.deepEqual(await all(store), [note("counter", 50)]);
  });

  test("does not show a read what is not committed", async (t) => {
    const store = await notes(engine, t);
    const inserted = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const write = store.write(async (transaction) => {
      await transaction.insertInto("note").values(note("a")).execute();
      inserted.resolve();
      await end.promise;
      throw new Error("no");
    });
    await inserted.promise;
    const read = all(store);
    end.resolve();
    await assert.rejects(write, { message: "no" });
    assert.deepEqual(await read, []);
  });

  test("tells a second row with the same key from other failures", async (t) => {
    const store = await notes(engine, t);
    await add(store, note("a"));
    const failure = await add(store, note("a", 2)).catch((error: unknown) => error);
    assert.equal(isUniqueViolation(failure), true);
    assert.equal(isUniqueViolation(new Error("other")), false);
    assert.deepEqual(await all(store), [note("a")]);
  });

  test("waits for all writers when it is closed, and takes no more", async () => {
    const store = await openStore<NoteTables>({
      location: await engine.location(),
      migrations: [createNotes],
    });
    const settled: string[] = [];
    const writes = ["a", "b", "c"].map(async (id) => {
      await add(store, note(id));
      settled.push(id);
    });
    await store.close();
    assert.deepEqual(settled, ["a", "b", "c"]);
    await Promise.all(writes);
    await assert.rejects(add(store, note("d")), { message: "The store is closed." });
  });
}

function values(engine: StoreEngine): void {
  const largest = Number.MAX_SAFE_INTEGER;

  test("read back as they were written", async (t) => {
    const store = await notes(engine, t);
    const rows = [
      note("", 0, new Uint8Array()),
      note(
        "a'b\n\\x\"",
        -1,
        Uint8Array.from({ length: 256 }, (_, byte) => byte),
      ),
      note("grüße 🪸", largest),
      note("ｚ", -largest),
    ];
    for (const row of rows) await add(store, row);
    assert.deepEqual(await all(store), rows);
  });

  test("are found by what was written", async (t) => {
    const store = await notes(engine, t);
    await add(store, note("a", largest, Uint8Array.of(0, 255)));
    const found = await store.db
      .selectFrom("note")
      .select("id")
      .where("sizeBytes", "=", largest)
      .where("content", "=", Uint8Array.of(0, 255))
      .execute();
    assert.deepEqual(found, [{ id: "a" }]);
  });

  test("are counted, summed and compared in numbers", async (t) => {
    const store = await notes(engine, t);
    await add(store, note("a", 2));
    await add(store, note("b", 3));
    const row = await store.db
      .selectFrom("note")
      .select(({ fn }) => [fn.countAll().as("rows"), fn.sum("sizeBytes").as("total")])
      .select(sql`count(*) > 1`.as("several"))
      .executeTakeFirst();
    assert.deepEqual(row, { rows: 2, total: 5, several: 1 });
  });

  test("beyond the largest exact number are refused, also on reading", async (t) => {
    const store = await notes(engine, t);
    const message = /9007199254740992 cannot be stored; .* at most 9007199254740991 in size/;
    await assert.rejects(add(store, note("a", largest + 1)), message);
    assert.deepEqual(await all(store), []);
    await add(store, note("a", largest));
    const beyond = store.db.selectFrom("note").select(sql`size_bytes + 1`.as("next"));
    await assert.rejects(beyond.execute(), RangeError);
  });

  const refused: readonly [string, unknown, RegExp][] = [
    ["a date", new Date(0), /class Date cannot be stored; store its ISO text/],
    ["undefined", undefined, /type undefined cannot be stored; store null/],
    ["NaN", Number.NaN, /NaN cannot be stored; numbers are finite/],
    ["infinity", Infinity, /Infinity cannot be stored; numbers are finite/],
    ["a boolean", true, /type boolean cannot be stored; store 0 or 1/],
    ["a list", [1], /class Array cannot be stored; store its JSON text/],
    ["an object", { a: 1 }, /class Object cannot be stored; store its JSON text/],
  ];
  for (const [name, value, message] of refused) {
    test(`of the wrong kind are refused: ${name}`, async (t) => {
      const store = await notes(engine, t);
      const write = store.write((transaction) =>
        sql`insert into note (size_bytes, id) values (${value}, ${"a"})`.execute(transaction),
      );
      await assert.rejects(write, message);
      assert.deepEqual(await all(store), []);
    });
  }

  test("of another type than the column are refused", async (t) => {
    const store = await notes(engine, t);
    const write = store.write((transaction) =>
      sql`insert into note (id, size_bytes) values ('a', ${"many"})`.execute(transaction),
    );
    await assert.rejects(write);
    assert.deepEqual(await all(store), []);
  });
}

function misuse(engine: StoreEngine): void {
  test("is told that db only reads", async (t) => {
    const store = await notes(engine, t);
    const insert = store.db.insertInto("note").values(note("a"));
    await assert.rejects(insert.execute(), {
      message: "The store's db is for reading; use write.",
    });
  });

  test("is told to read through the transaction", async (t) => {
    const store = await notes(engine, t);
    const read = store.write(() => all(store));
    await assert.rejects(read, { message: "Inside a write, read through its transaction." });
  });

  test("is told not to write inside a write", async (t) => {
    const store = await notes(engine, t);
    const message = "A write inside a write would wait for itself; use its transaction.";
    await assert.rejects(
      store.write(() => add(store, note("a"))),
      { message },
    );
    assert.deepEqual(await all(store), []);
  });
}
