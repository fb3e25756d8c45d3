import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { storeEngines } from "../../../../../test/support/stores.ts";
import {
  INTERACTIONS,
  OPPORTUNITY,
  refusal,
  ROWS,
  SET,
  startFilled,
  TABLE,
} from "../odata.fixture.ts";
import type { Json } from "../odata.fixture.ts";

suite("lists of rows", () => {
  for (const engine of storeEngines().filter(({ name }) => name !== "in a file")) {
    test(`bring along what rows lead to, ${engine.name}`, async () => {
      await using queries = await startFilled({ location: await engine.location() });
      const up = await queries.list(
        `${SET}?$select=${TABLE}&$orderby=${TABLE}&$expand=svc_opportunity($select=name;` +
          "$expand=createdby($select=fullname))",
      );
      assert.deepEqual(
        up.map((row) => plain(row["svc_opportunity"])),
        [
          { name: "Big deal", opportunityid: OPPORTUNITY, createdby: { fullname: "ADMIN" } },
          { name: "Big deal", opportunityid: OPPORTUNITY, createdby: { fullname: "ADMIN" } },
          null,
          null,
        ],
      );
      const [down = {}] = await queries.list(
        `opportunities?$select=name&$expand=${INTERACTIONS}($select=${TABLE};` +
          `$orderby=${TABLE} desc;$count=true)`,
        "odata.maxpagesize=1",
      );
      const rows = down[INTERACTIONS] as Json[];
      assert.deepEqual(
        rows.map((row) => row[TABLE]),
        ["beta"],
      );
      assert.equal(down[`${INTERACTIONS}@odata.count`], 2);
      const rest = await queries.list(String(down[`${INTERACTIONS}@odata.nextLink`]));
      assert.deepEqual(
        rest.map((row) => row[TABLE]),
        ["Alpha"],
      );
      const filter = `$expand=${INTERACTIONS}($select=${TABLE};$filter=svc_isdone eq true;$top=5)`;
      const [filtered = {}] = await queries.list(`opportunities?${filter}`);
      assert.equal((filtered[INTERACTIONS] as Json[]).length, 1);
    });

    test(`page in any order without losing a row, ${engine.name}`, async () => {
      await using queries = await startFilled({ location: await engine.location() });
      const orders = [
        "",
        TABLE,
        `${TABLE} desc`,
        "svc_feedback",
        "svc_feedback desc",
        "svc_opportunity/name desc,importsequencenumber",
        "createdon desc",
        "versionnumber desc",
        "importsequencenumber asc,svc_feedback desc",
        `length(${TABLE}) desc`,
      ];
      for (const order of orders) {
        const by = order === "" ? "" : `&$orderby=${encodeURIComponent(order)}`;
        const whole = await queries.list(`${SET}?$select=${TABLE}${by}`);
        const paged: Json[] = [];
        let next: string | undefined = `${SET}?$select=${TABLE}${by}`;
        while (next !== undefined && paged.length <= ROWS.length) {
          const json: Json = await queries.ask(next, "odata.maxpagesize=1");
          paged.push(...(json["value"] as Json[]));
          next = json["@odata.nextLink"] as string | undefined;
        }
        assert.deepEqual(paged, whole, order);
        assert.equal(paged.length, ROWS.length);
      }
    });

    test(`group and aggregate, ${engine.name}`, async () => {
      await using queries = await startFilled({ location: await engine.location() });
      const cases: readonly (readonly [string, readonly Json[]])[] = [
        ["aggregate($count as rows)", [{ rows: 4 }]],
        [
          "aggregate(importsequencenumber with sum as s,importsequencenumber with average as a," +
            "importsequencenumber with min as l,importsequencenumber with max as h," +
            "svc_topic with countdistinct as d)",
          [{ s: 4, a: 2, l: -3, h: 7, d: 2 }],
        ],
        [
          "groupby((svc_topic),aggregate($count as rows))",
          [
            { svc_topic: 1, rows: 2 },
            { svc_topic: 2, rows: 2 },
          ],
        ],
        [
          "filter(svc_topic eq 1)/groupby((svc_isdone),aggregate($count as rows))/filter(" +
            "rows eq 1)",
          [
            { svc_isdone: false, rows: 1 },
            { svc_isdone: true, rows: 1 },
          ],
        ],
        [
          "groupby((svc_opportunity/name),aggregate($count as rows))",
          [
            { svc_opportunity: { name: null }, rows: 2 },
            { svc_opportunity: { name: "Big deal" }, rows: 2 },
          ],
        ],
        [
          "groupby((_svc_opportunity_value))",
          [{ _svc_opportunity_value: null }, { _svc_opportunity_value: OPPORTUNITY }],
        ],
      ];
      for (const [apply, expected] of cases) {
        const found = await queries.list(`${SET}?$apply=${encodeURIComponent(apply)}`);
        assert.deepEqual(found, expected, apply);
      }
      const sorted = await queries.list(
        `${SET}?$apply=groupby((svc_topic),aggregate($count as rows))&$orderby=svc_topic ` +
          "desc&$top=1",
        'odata.include-annotations="*"',
      );
      assert.deepEqual(sorted, [
        {
          "svc_topic@OData.Community.Display.V1.FormattedValue": "Page",
          svc_topic: 2,
          rows: 2,
        },
      ]);
    });

    test(`search in all texts, ${engine.name}`, async () => {
      await using queries = await startFilled({ location: await engine.location() });
      const cases = [
        ["fine", "GAMMA"],
        ["ALPHA OR fine", "Alpha GAMMA"],
        ["100 sure", "Alpha"],
        ['"it\'s \\\\ fine"', "GAMMA"],
        ["a AND NOT (alpha OR gamma)", "beta delta"],
      ] as const;
      for (const [text, expected] of cases) {
        const query = `$orderby=${TABLE}&$search=${encodeURIComponent(text)}`;
        const rows = await queries.list(`${SET}?${query}`);
        assert.equal(rows.map((row) => row[TABLE]).join(" "), expected, text);
      }
    });
  }

  test("refuse what a list cannot have, by name", async () => {
    await using queries = await startFilled();
    const cases = [
      ["$skip=1", "The query option $skip is not supported; follow @odata.nextLink instead."],
      [
        "$select=nothing",
        `Could not find a property named 'nothing' on type 'Microsoft.Dynamics.CRM.${TABLE}'.`,
      ],
      ["$orderby=1", "Expected a property at position 0 in $orderby."],
      ["$top=x", "Expected a whole number at position 0 in $top 'x'."],
      ["$count=maybe", "Expected true or false at position 0 in $count 'maybe'."],
      ["$skiptoken=abc", "The $skiptoken is not one that an @odata.nextLink of this query had."],
      [
        "$expand=nothing",
        "Could not find a navigation property named 'nothing' on type " +
          `'Microsoft.Dynamics.CRM.${TABLE}'.`,
      ],
      [
        "$expand=svc_opportunity($top=1)",
        "'svc_opportunity' leads to one row: $top is not allowed in its $expand.",
      ],
      [
        "$apply=topcount(1,svc_topic)",
        "The transformation topcount is not supported at position 0 in $apply 'topcount(1," +
          "svc_topic)'.",
      ],
      [
        "$apply=aggregate(svc_result with sum as s)",
        "Only numbers can be aggregated with sum, at position 10.",
      ],
    ] as const;
    for (const [query, message] of cases) {
      assert.deepEqual(await refusal(queries.list(`${SET}?${query}`)), ["0x80060888", message]);
    }
  });

  test("count all rows, not those of a page", async () => {
    await using queries = await startFilled();
    const page = await queries.ask(
      `${SET}?$count=true&$filter=svc_topic eq 1`,
      "odata.maxpagesize=1",
    );
    assert.equal(page["@odata.count"], 2);
    assert.equal(await queries.count(`${SET}?$filter=svc_topic eq 2`), 2);
  });
});

/** Without etags and ids that nobody can know. */
function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "@odata.etag" && name !== "systemuserid")
      .map(([name, one]) => [name, plain(one)]),
  );
}
