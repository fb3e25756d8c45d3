import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import { Problem } from "#platform/problem.ts";
import { storeEngines } from "../../../../../test/support/stores.ts";
import { INTERACTIONS, SET, startFilled, TABLE } from "../odata.fixture.ts";

const PROPERTIES = [
  TABLE,
  "svc_topic",
  "svc_isdone",
  "svc_result",
  "createdon",
  "importsequencenumber",
  "_svc_opportunity_value",
  "svc_opportunity/name",
  "svc_opportunity/estimatedvalue",
  "svc_opportunity/estimatedclosedate",
  "nothing",
  "$it/svc_topic",
];

const text = fc
  .oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom("'; drop table x;--", '"', "\\", "%_", "?", "$1"),
  )
  .map((value) => `'${value.replaceAll("'", "''")}'`);

const literal = fc.oneof(
  text,
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom("null", "true", "2026-03-18", "2026-03-18T12:30:00Z", "@p", "9007199254740993"),
  fc.uuid(),
);

/** Conditions as a grammar makes them: most of them fit, some do not. */
const { condition } = fc.letrec<{ value: string; condition: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    literal,
    fc.constantFrom(...PROPERTIES),
    fc
      .tuple(tie("value"), fc.constantFrom("add", "sub", "mul", "div", "mod"), tie("value"))
      .map((parts) => `(${parts.join(" ")})`),
    fc
      .tuple(
        fc.constantFrom("tolower", "length", "year", "hour", "round", "trim", "date"),
        tie("value"),
      )
      .map(([name, value]) => `${name}(${value})`),
    fc
      .tuple(fc.constantFrom("concat", "indexof", "substring"), tie("value"), tie("value"))
      .map(([name, one, other]) => `${name}(${one},${other})`),
  ),
  condition: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc
      .tuple(tie("value"), fc.constantFrom("eq", "ne", "gt", "ge", "lt", "le"), tie("value"))
      .map((parts) => parts.join(" ")),
    fc.tuple(tie("value"), text).map(([value, part]) => `contains(${value},${part})`),
    fc.tuple(tie("value"), tie("value")).map(([one, other]) => `${one} in (${other},1)`),
    tie("condition").map((one) => `not (${one})`),
    fc
      .tuple(tie("condition"), fc.constantFrom("and", "or"), tie("condition"))
      .map(([one, word, other]) => `(${one} ${word} ${other})`),
    fc
      .tuple(fc.constantFrom("Today", "LastXDays", "In", "Between", "On", "Contains"), text)
      .map(
        ([name, value]) =>
          `Microsoft.Dynamics.CRM.${name}(PropertyName='createdon',PropertyValue=${value},` +
          `PropertyValues=[${value}])`,
      ),
  ),
}));

const orderby = fc.constantFrom("", "&$orderby=svc_result desc", "&$orderby=svc_opportunity/name");

suite("whatever is asked", () => {
  for (const engine of storeEngines().filter(({ name }) => name !== "in a file")) {
    test(`is answered or refused, and leaves the rows alone, ${engine.name}`, async () => {
      await using queries = await startFilled({ location: await engine.location() });
      await fc.assert(
        fc.asyncProperty(condition, orderby, text, async (filter, order, alias) => {
          const asked = `$filter=${encodeURIComponent(filter)}${order}`;
          const value = encodeURIComponent(alias);
          await answeredOrRefused(queries.list(`${SET}?${asked}&@p=${value}`));
        }),
        { numRuns: 1500 },
      );
      for (const option of ["$search", "$select", "$orderby", "$expand", "$apply", "$skiptoken"]) {
        await fc.assert(
          fc.asyncProperty(text, async (value) => {
            const sent = encodeURIComponent(value.slice(1, -1));
            await answeredOrRefused(queries.list(`${SET}?${option}=${sent}`));
          }),
          { numRuns: 100 },
        );
      }
      assert.equal(await queries.count(SET), 4);
      assert.equal((await queries.list(`opportunities?$filter=${INTERACTIONS}/any()`)).length, 1);
    });
  }
});

async function answeredOrRefused(asked: Promise<unknown>): Promise<void> {
  try {
    await asked;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}
