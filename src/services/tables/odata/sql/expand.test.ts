import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { storeEngines } from "../../../../../test/support/stores.ts";
import { OPPORTUNITY, refusal, SET, startFilled, TABLE, USER } from "../odata.fixture.ts";
import type { Json, TestQueries } from "../odata.fixture.ts";

const MEMBERS = "teammembership_association";

/** A team with the user as its member, and opportunities of both. */
async function withTeams(queries: TestQueries): Promise<string> {
  const team = await queries.create("teams", { name: "Red" });
  await queries.create("teams", { name: "Blue" });
  await queries.link(MEMBERS, team, USER);
  await queries.create("opportunities", { name: "Ours", ownerid: team, owneridtype: "team" });
  await queries.create("opportunities", { name: "Mine", ownerid: USER, owneridtype: "systemuser" });
  return team;
}

suite("$expand", () => {
  for (const engine of storeEngines().filter(({ name }) => name !== "in a file")) {
    test(`follows links of many rows with many, ${engine.name}`, async () => {
      await using queries = await startFilled({ location: await engine.location() });
      const team = await withTeams(queries);
      const query = `$select=name&$orderby=name&$expand=${MEMBERS}($select=fullname)`;
      const teams = await queries.list(`teams?${query}`);
      assert.deepEqual(
        teams.map((one) => [one["name"], (one[MEMBERS] as Json[]).map((user) => user["fullname"])]),
        [
          ["Blue", []],
          ["Red", ["ADMIN"]],
        ],
      );
      const filter = `$filter=${MEMBERS}/any(m:m/fullname eq 'admin')`;
      assert.equal((await queries.list(`teams?${filter}`)).length, 1);
      const members = await queries.list(`teams(${team})/${MEMBERS}?$select=fullname`);
      assert.deepEqual(
        members.map((user) => user["fullname"]),
        ["ADMIN"],
      );
      const owned = "$filter=Microsoft.Dynamics.CRM.EqualUserTeams(PropertyName='ownerid')";
      const rows = await queries.list(`opportunities?$select=name&${owned}`);
      assert.deepEqual(
        rows.map(({ name }) => name),
        ["Ours"],
      );
    });

    test(`finds rows of whichever table a lookup refers to, ${engine.name}`, async () => {
      await using queries = await startFilled({ location: await engine.location() });
      await withTeams(queries);
      const rows = await queries.list("opportunities?$select=name&$orderby=name&$expand=ownerid");
      assert.deepEqual(
        rows.map(({ name, ownerid }) => [name, named(ownerid)]),
        [
          ["Big deal", undefined],
          ["Mine", "ADMIN"],
          ["Ours", "Red"],
        ],
      );
      const cast = "ownerid/Microsoft.Dynamics.CRM.team";
      const filter = `$filter=${cast}/name eq 'red'`;
      const ours = await queries.list(`opportunities?$select=name&${filter}`);
      assert.deepEqual(
        ours.map(({ name }) => name),
        ["Ours"],
      );
    });

    test(`says only where rows are when $ref is asked for, ${engine.name}`, async () => {
      await using queries = await startFilled({ location: await engine.location() });
      const query = `$top=1&$orderby=${TABLE}&$select=${TABLE}&$expand=svc_opportunity/$ref`;
      const [row = {}] = await queries.list(`${SET}?${query}`);
      const url = `http://tables/api/data/v9.2/opportunities(${OPPORTUNITY})`;
      assert.deepEqual(row["svc_opportunity"], { "@odata.id": url });
    });
  }

  test("refuses a token of another order, and whatever else is no token", async () => {
    await using queries = await startFilled();
    const page = await queries.ask(`${SET}?$orderby=svc_topic`, "odata.maxpagesize=1");
    const url = new URL(String(page["@odata.nextLink"]));
    const token = encodeURIComponent(url.searchParams.get("$skiptoken") ?? "");
    const message = "The $skiptoken is not one that an @odata.nextLink of this query had.";
    const cookie = (content: unknown) => {
      const text = Buffer.from(JSON.stringify(content)).toString("base64url");
      const whole = `<cookie pagenumber="2" pagingcookie="${text}" istracking="False" />`;
      return encodeURIComponent(whole);
    };
    for (const wrong of [token, cookie([{}]), cookie(["2"]), cookie(["a\0"]), cookie({}), "a"]) {
      const asked = queries.list(`${SET}?$skiptoken=${wrong}`);
      assert.deepEqual(await refusal(asked), ["0x80060888", message]);
    }
    assert.equal((await queries.list(`${SET}?$orderby=svc_topic&$skiptoken=${token}`)).length, 3);
  });

  test("takes a limited number of navigation properties", async () => {
    await using queries = await startFilled();
    const many = Array.from({ length: 26 }, () => "svc_opportunity").join(",");
    const message = "$expand has more than 25 navigation properties.";
    assert.deepEqual(await refusal(queries.list(`${SET}?$expand=${many}`)), [
      "0x80060888",
      message,
    ]);
  });
});

/** The name of an expanded user or team. */
function named(row: unknown): unknown {
  const { fullname, name } = (row ?? {}) as Json;
  return fullname ?? name;
}
