import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { storeEngines } from "../../../../../test/support/stores.ts";
import {
  INTERACTIONS,
  OPPORTUNITY,
  refusal,
  SET,
  startFilled,
  startQueries,
  TABLE,
  type TestQueries,
} from "../odata.fixture.ts";

const ALL = "Alpha beta delta GAMMA";

const FILTERS: readonly (readonly [filter: string, names: string, more?: string])[] = [
  [`${TABLE} eq 'ALPHA'`, "Alpha"],
  [`${TABLE} gt 'beta' and ${TABLE} lt 'DELTB'`, "delta"],
  [`not (${TABLE} eq 'alpha')`, "beta delta GAMMA"],
  [`svc_feedback eq 10001 or svc_feedback eq 10002`, "Alpha beta"],
  ["svc_feedback ne 10001", "beta delta GAMMA"],
  ["svc_feedback eq null", "delta GAMMA"],
  ["svc_feedback ne null", "Alpha beta"],
  ["not (svc_feedback gt 10001)", "Alpha delta GAMMA"],
  ["svc_isdone", "Alpha"],
  ["svc_isdone eq false and not svc_isseen", "beta GAMMA"],
  ["contains(svc_result,'0%_S')", "Alpha"],
  ["contains(svc_result,'0_s')", ""],
  ["contains(svc_result,'\\')", "GAMMA"],
  ["startswith(svc_result,'IT''S')", "GAMMA"],
  ["endswith(svc_result,'Sure')", "Alpha"],
  ["contains(tolower(svc_result),'fine')", "GAMMA"],
  [`${TABLE} in ('alpha','gamma')`, "Alpha GAMMA"],
  [`${TABLE} in @names`, "Alpha GAMMA", `&@names=["alpha","GAMMA"]`],
  ["importsequencenumber add 1 eq 8", "beta"],
  ["importsequencenumber div 2 eq 3.5", "beta"],
  ["importsequencenumber mod 4 eq 3", "beta"],
  ["importsequencenumber div 0 eq 1", ""],
  ["-importsequencenumber eq 3", "GAMMA"],
  ["importsequencenumber lt 6.5", "GAMMA"],
  [`length(${TABLE}) eq 4`, "beta"],
  [`indexof(${TABLE},'ta') eq 2`, "beta"],
  [`substring(${TABLE},1,2) eq 'EL'`, "delta"],
  [`concat(${TABLE},'!') eq 'BETA!'`, "beta"],
  ["trim(svc_result) eq '100%_SURE'", "Alpha"],
  ["round(svc_opportunity/estimatedvalue) eq 13", "Alpha beta"],
  ["floor(svc_opportunity/estimatedvalue) eq 12", "Alpha beta"],
  ["ceiling(svc_opportunity/estimatedvalue) eq 13", "Alpha beta"],
  ["svc_opportunity/name eq 'big deal'", "Alpha beta"],
  ["svc_opportunity/statecode eq 0", "Alpha beta"],
  [`_svc_opportunity_value eq ${OPPORTUNITY}`, "Alpha beta"],
  [`_svc_opportunity_value eq '{${OPPORTUNITY.toUpperCase()}}'`, "Alpha beta"],
  ["_svc_opportunity_value eq null", "delta GAMMA"],
  ["createdon eq 2026-03-18T12:30:00Z", ALL],
  ["createdon ge 2026-03-18", ALL],
  ["createdon lt 2026-03-18T13:30:00+02:00", ""],
  ["year(createdon) eq 2026 and month(createdon) eq 3 and day(createdon) eq 18", ALL],
  ["hour(createdon) eq 12 and minute(createdon) eq 30 and second(createdon) eq 0", ALL],
  ["date(createdon) eq 2026-03-18", ALL],
  ["createdon le now()", ALL],
  ["svc_opportunity/estimatedclosedate gt 2026-03-19", "Alpha beta"],
  ["createdby/fullname eq 'ADMIN'", ALL],
  [`${TABLE} eq @name`, "delta", "&@name='delta'"],
  ["Microsoft.Dynamics.CRM.Today(PropertyName='createdon')", ALL],
  ["Microsoft.Dynamics.CRM.Yesterday(PropertyName='createdon')", ""],
  ["Microsoft.Dynamics.CRM.ThisWeek(PropertyName=@p1)", ALL, "&@p1='createdon'"],
  ["Microsoft.Dynamics.CRM.LastXDays(PropertyName='createdon',PropertyValue=1)", ALL],
  ["Microsoft.Dynamics.CRM.LastXHours(PropertyName='createdon',PropertyValue='2')", ALL],
  ["Microsoft.Dynamics.CRM.OlderThanXMinutes(PropertyName='createdon',PropertyValue=5)", ""],
  ["Microsoft.Dynamics.CRM.NextXYears(PropertyName='createdon',PropertyValue=1)", ALL],
  ["Microsoft.Dynamics.CRM.ThisFiscalPeriod(PropertyName='createdon')", ALL],
  ["Microsoft.Dynamics.CRM.InFiscalYear(PropertyName='createdon',PropertyValue=2025)", ""],
  ["Microsoft.Dynamics.CRM.On(PropertyName='createdon',PropertyValue='2026-03-18')", ALL],
  ["Microsoft.Dynamics.CRM.OnOrBefore(PropertyName='createdon',PropertyValue='2026-03-17')", ""],
  [
    "Microsoft.Dynamics.CRM.NextXDays(PropertyName='svc_opportunity/estimatedclosedate'," +
      "PropertyValue=2)",
    "Alpha beta",
  ],
  [
    "Microsoft.Dynamics.CRM.In(PropertyName='svc_feedback',PropertyValues=['10001','10002'])",
    "Alpha beta",
  ],
  [
    "Microsoft.Dynamics.CRM.NotIn(PropertyName='svc_feedback',PropertyValues=['10001'])",
    "beta delta GAMMA",
  ],
  [
    "Microsoft.Dynamics.CRM.Between(PropertyName='svc_feedback',PropertyValues=[\"10000\"," +
      '"10001"])',
    "Alpha",
  ],
  ["Microsoft.Dynamics.CRM.Contains(PropertyName='svc_result',PropertyValue='FINE')", "GAMMA"],
  ["Microsoft.Dynamics.CRM.EqualUserId(PropertyName='createdby')", ALL],
  ["Microsoft.Dynamics.CRM.NotEqualUserId(PropertyName='createdby')", ""],
  ["Microsoft.Dynamics.CRM.EqualUserTeams(PropertyName='ownerid')", ""],
];

/** Names of the rows that a filter leaves, in the order of their names. */
async function names(queries: TestQueries, filter: string, more = ""): Promise<string> {
  const query = `$select=${TABLE}&$orderby=${TABLE}&$filter=${encodeURIComponent(filter)}${more}`;
  const rows = await queries.list(`${SET}?${query}`);
  return rows.map((row) => row[TABLE]).join(" ");
}

const LAMBDAS: readonly (readonly [filter: string, names: string])[] = [
  [`${INTERACTIONS}/any()`, "Big deal"],
  [`${INTERACTIONS}/any(i:i/svc_feedback eq 10001 and i/svc_isdone)`, "Big deal"],
  [`${INTERACTIONS}/any(i:i/${TABLE} eq 'delta')`, ""],
  [`${INTERACTIONS}/all(i:i/svc_feedback ne null)`, "Big deal Empty"],
  [`${INTERACTIONS}/all(i:i/svc_feedback eq 10001)`, "Empty"],
  [`not ${INTERACTIONS}/any()`, "Empty"],
  [`${INTERACTIONS}/$count gt 1`, "Big deal"],
  [`${INTERACTIONS}/any(i:i/svc_opportunity/name eq name)`, "Big deal"],
  [`${INTERACTIONS}/any(i:i/svc_opportunity/name eq $it/name)`, "Big deal"],
  [
    `${INTERACTIONS}/any(i:i/svc_opportunity/${INTERACTIONS}/any(j:j/svc_feedback gt ` +
      "i/svc_feedback))",
    "Big deal",
  ],
];

suite("$filter", () => {
  for (const engine of storeEngines().filter(({ name }) => name !== "in a file")) {
    test(`leaves the rows for which it holds, ${engine.name}`, async () => {
      await using queries = await startFilled({ location: await engine.location() });
      for (const [filter, expected, more] of FILTERS) {
        assert.equal(await names(queries, filter, more), expected, filter);
      }
    });

    test(`and its negation leave every row once, ${engine.name}`, async () => {
      await using queries = await startFilled({ location: await engine.location() });
      for (const [filter, expected, more] of FILTERS) {
        const rest = await names(queries, `not (${filter})`, more);
        const all = `${expected} ${rest}`.trim().split(/ +/);
        assert.deepEqual(new Set(all), new Set(ALL.split(" ")), filter);
        assert.equal(all.length, 4, filter);
      }
    });

    test(`follows rows backwards with any, all and $count, ${engine.name}`, async () => {
      await using queries = await startFilled({ location: await engine.location() });
      await queries.create("opportunities", { name: "Empty" });
      for (const [filter, expected] of LAMBDAS) {
        const query = `$orderby=name&$filter=${encodeURIComponent(filter)}`;
        const rows = await queries.list(`opportunities?${query}`);
        assert.equal(rows.map(({ name }) => name).join(" "), expected, filter);
      }
    });

    test(`takes the most that it may hold, ${engine.name}`, async () => {
      await using queries = await startFilled({ location: await engine.location() });
      const many = Array.from({ length: 499 }, (_, at) => `importsequencenumber eq ${at}`);
      assert.equal(await names(queries, many.join(" or ")), "beta");
      const sum = " add 1".repeat(498);
      assert.equal(await names(queries, `importsequencenumber${sum} eq 505`), "beta");
      const deep = `${"(not (".repeat(19)}svc_isdone${"))".repeat(19)}`;
      assert.equal(await names(queries, deep), "beta delta GAMMA");
      const list = Array.from({ length: 4000 }, (_, at) => at).join(",");
      assert.equal(await names(queries, `importsequencenumber in (${list})`), "beta");
    });
  }

  test("names what it cannot use, and where", async () => {
    await using queries = await startFilled();
    const type = `'Microsoft.Dynamics.CRM.${TABLE}'`;
    const cases = [
      ["nothing eq 1", `Could not find a property named 'nothing' on type ${type}.`],
      [
        "svc_topic eq 'a'",
        "A value of type 'Edm.String' at position 13 does not fit to one of type " +
          "'Edm.Decimal' at position 0.",
      ],
      [
        `${TABLE} eq 1`,
        "A value of type 'Edm.Decimal' at position 43 does not fit to one of type " +
          "'Edm.String' at position 0.",
      ],
      [
        "_svc_opportunity_value eq 'x'",
        "A value of type 'Edm.String' at position 26 does not fit to one of type 'Edm.Guid' " +
          "at position 0.",
      ],
      ["createdon eq 2026-02-30", "The time 2026-02-30 at position 13 does not exist."],
      [
        "svc_topic eq 99999999999999999999",
        "The number 99999999999999999999 at position 13 is out of range.",
      ],
      ["svc_topic", "Expected a condition at position 0."],
      ["svc_topic eq", "Syntax error at position 12 in $filter 'svc_topic eq'."],
      [
        "svc_topic has 1",
        "The operator 'has' is not supported at position 10 in $filter 'svc_topic has 1'.",
      ],
      [
        "nowhere/name eq 'a'",
        `Could not find a single-valued navigation property named 'nowhere' on type ${type}.`,
      ],
      [
        "ownerid/name eq 'a'",
        "The navigation property 'ownerid' leads to several tables; say " +
          "ownerid/Microsoft.Dynamics.CRM.systemuser or ownerid/Microsoft.Dynamics.CRM.team.",
      ],
      ["svc_opportunity/any()", "'svc_opportunity' at position 0 is not a collection of rows."],
      ["soundex(svc_result) eq 'a'", "The function 'soundex' at position 0 is not supported."],
      ["contains(svc_topic,'a')", "Expected a text at position 9, for 'contains'."],
      ["contains(svc_result)", "The function 'contains' at position 0 takes 2 arguments, not 1."],
      ["svc_result eq @p", "The parameter alias @p has no value."],
      [
        "Microsoft.Dynamics.CRM.Someday(PropertyName='createdon')",
        "The query function 'Microsoft.Dynamics.CRM.Someday' at position 0 is not known.",
      ],
      ["Microsoft.Dynamics.CRM.Today(PropertyName='svc_result')", "Expected a date at position 0."],
    ] as const;
    for (const [filter, message] of cases) {
      const found = await refusal(names(queries, filter));
      assert.deepEqual(found, ["0x80060888", message], filter);
    }
    const hierarchy = "Microsoft.Dynamics.CRM.Under(PropertyName='ownerid',PropertyValue='a')";
    assert.equal((await refusal(names(queries, hierarchy)))[0], "0x80040801");
  });

  test("reads no table that the caller may not read", async () => {
    await using queries = await startQueries({ forbidden: ["opportunity"] });
    for (const query of [
      "$filter=svc_opportunity/name eq 'a'",
      "$orderby=svc_opportunity/name",
      "$expand=svc_opportunity",
      "$apply=groupby((svc_opportunity/name))",
    ]) {
      assert.equal((await refusal(queries.list(`${SET}?${query}`)))[0], "0x80040220", query);
    }
    assert.equal((await queries.list(SET)).length, 0);
  });
});
