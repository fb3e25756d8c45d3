import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { realEnvironment } from "#platform/environment.ts";
import { withConnection } from "./catalog.ts";
import { LOGS, testCatalog } from "./catalog.fixture.ts";
import { dropExtents, enforceRetention, listExtents, storeExtent } from "./extents.ts";
import { deletePolicy, parsePolicy, policiesOf, setPolicy } from "./policies.ts";
import { createTable } from "./tables.ts";

suite("policies", () => {
  test("are set, merged, read and deleted on every level", async () => {
    await using opened = await testCatalog();
    const { catalog } = opened;
    await createTable(catalog, LOGS);
    const policy = parsePolicy("caching", '{"DataHotSpan":"3.00:00:00"}');
    for (const target of [{}, { database: "db" }, LOGS]) {
      await setPolicy(catalog, target, { name: "caching", policy });
      await setPolicy(catalog, target, { name: "caching", policy: { more: 1 }, merge: true });
      const expected = { caching: { DataHotSpan: "3.00:00:00", more: 1 } };
      assert.deepEqual(policiesOf(catalog, target), expected);
      await deletePolicy(catalog, target, "caching");
      assert.deepEqual(policiesOf(catalog, target), {});
    }
    assert.throws(() => parsePolicy("retention", '{"SoftDeletePeriod":"soon"}'), {
      kind: "invalid-value",
    });
  });

  test("of retention drop the rows that are older", async () => {
    const environment = { ...realEnvironment, now: () => new Date("2026-01-10T00:00:00Z") };
    await using opened = await testCatalog({ environment });
    const { catalog } = opened;
    const { id } = await createTable(catalog, LOGS);
    const ids = [realEnvironment.newId(), realEnvironment.newId()] as const;
    const days = [639_028_224_000_000_000n, 639_035_136_000_000_000n] as const;
    await withConnection(catalog.sql, (connection) =>
      connection.transaction(async () => {
        for (const [index, extent] of ids.entries()) {
          const createdOn = days[index] ?? 0n;
          const noted = { id: extent, createdOn, tags: [`t${index}`], originalSize: 10n };
          await storeExtent(connection, id, noted);
          await connection.run(
            `insert into main.t${id} values ('${extent}', ${createdOn}, 1, 'a', 2)`,
          );
        }
      }),
    );
    assert.deepEqual(
      (await listExtents(catalog, LOGS)).map(({ tags }) => tags),
      [["t0"], ["t1"]],
    );
    await enforceRetention(catalog);
    const policy = parsePolicy("retention", '{"SoftDeletePeriod":"5.00:00:00"}');
    await setPolicy(catalog, { database: "db" }, { name: "retention", policy });
    await enforceRetention(catalog);
    assert.deepEqual(await listExtents(catalog, LOGS), [
      {
        id: ids[1],
        rows: 1n,
        createdOn: days[1],
        minIngestedOn: days[1],
        maxIngestedOn: days[1],
        tags: ["t1"],
        originalSize: 10n,
      },
    ]);
    await dropExtents(catalog, LOGS, [ids[1]]);
    assert.deepEqual(await listExtents(catalog, LOGS), []);
  });
});
