import assert from "node:assert/strict";
import { after, afterEach, before, suite, test } from "node:test";
import { API_A, claimsOf, identity } from "../identity.fixture.ts";

suite("/admin/principals", () => {
  let world: Awaited<ReturnType<typeof identity>>;
  before(async () => {
    world = await identity();
  });
  after(async () => world.stop());
  afterEach(() => world.denied.clear());

  async function create(kind: string, name: string, fields = {}) {
    const { status, json } = await world.admin("POST", "principals", { kind, name, ...fields });
    assert.equal(status, 201);
    return { id: String(json["id"]), json };
  }

  test("creates principals, shows them, and never what they prove themselves by", async () => {
    const user = await create("User", "jane@example.test", {
      displayName: "Jane",
      password: "correct horse battery",
    });
    const createdAt = new Date(world.clock.now).toISOString();
    const jane = {
      id: user.id,
      kind: "User",
      name: "jane@example.test",
      displayName: "Jane",
      enabled: true,
      createdAt,
      hasPassword: true,
    };
    assert.deepEqual(user.json, jane);
    assert.deepEqual((await world.admin("GET", `principals/${user.id}`)).json, jane);
    const app = await create("ServicePrincipal", "app", {
      redirectUris: ["https://app.test/cb"],
      publicClient: true,
    });
    assert.deepEqual(app.json, {
      id: app.id,
      kind: "ServicePrincipal",
      name: "app",
      displayName: "app",
      enabled: true,
      createdAt,
      redirectUris: ["https://app.test/cb"],
      publicClient: true,
      implicitFlow: false,
    });
    const list = async (query: string) => (await world.admin("GET", `principals?${query}`)).json;
    assert.deepEqual(await list("kind=User&name=JANE@example.test"), { value: [jane] });
    assert.deepEqual(await list("kind=Group"), { value: [] });
  });

  test("says which field is wrong, its limit and its value, and changes nothing", async () => {
    const { id } = await create("ServicePrincipal", "strict");
    const known = await world.admin("GET", "principals");
    const rows: readonly [object, RegExp][] = [
      [{ name: "" }, /name has 0 characters; it takes 1 to 128/],
      [{ name: "n".repeat(129) }, /name has 129 characters/],
      [{ name: "https://a.test" }, /name "https:\/\/a\.test" is not taken/],
      [{ name: " padded" }, /name " padded" is not taken/],
      [{ password: "long enough indeed" }, /password is for the kinds User; .* ServicePrincipal/],
      [{ redirectUris: ["javascript:alert(1)"] }, /"javascript:alert\(1\)" is not taken/],
      [{ redirectUris: ["http://elsewhere.test/"] }, /redirect URI .* https/],
      [{ redirectUris: ["http://127.0.0.1:0/"] }, /redirect URI .* https/],
      [{ redirectUris: ["https://a.test/#x"] }, /without a fragment/],
      [{ redirectUris: ["https://u:p@a.test/"] }, /user information/],
      [{ redirectUris: Array.from({ length: 51 }, () => "https://a.test/") }, /51 entries; 50/],
      [{ displayName: "" }, /displayName has 0/],
      [{ externalIssuer: "https://i.test" }, /set together/],
      [{ enabled: "yes" }, /enabled/],
      [{ colour: "red" }, /colour|additional/i],
    ];
    for (const [body, sentence] of rows) {
      const { status, error } = await world.admin("PATCH", `principals/${id}`, body);
      assert.deepEqual([status, error?.code], [400, "InvalidRequest"], JSON.stringify(body));
      assert.match(error?.message ?? "", sentence);
    }
    const { id: user } = await create("User", "short");
    const weak = await world.admin("PATCH", `principals/${user}`, { password: "hunter2" });
    assert.match(weak.error?.message ?? "", /password has 7 characters; it takes 12 to 256/);
    assert.doesNotMatch(weak.error?.message ?? "", /hunter2/);
    await world.admin("DELETE", `principals/${user}`);
    assert.deepEqual(await world.admin("GET", "principals"), known);
    const missing = await world.admin("GET", "principals/none");
    assert.deepEqual([missing.status, missing.error?.code], [404, "PrincipalNotFound"]);
  });

  test("takes a name once for each kind, whoever is first", async () => {
    const names = ["Twin", "twin", "TWIN", "tWin"];
    const answers = await Promise.all(
      names.map((name) => world.admin("POST", "principals", { kind: "User", name })),
    );
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    assert.deepEqual(statuses, [201, 409, 409, 409]);
    await create("Group", "twin");
    const { id } = await create("User", "other");
    const renamed = await world.admin("PATCH", `principals/${id}`, { name: "twin" });
    assert.deepEqual([renamed.status, renamed.error?.code], [409, "PrincipalExists"]);
    const link = { externalIssuer: "https://i.test", externalSubject: "s" };
    await create("User", "linked", link);
    const taken = await world.admin("PATCH", `principals/${id}`, link);
    assert.deepEqual([taken.status, taken.error?.code], [409, "ExternalSubjectLinked"]);
  });

  test("finds the groups of a principal through groups, also in a circle", async () => {
    const { id: one } = await create("Group", "one");
    const { id: two } = await create("Group", "two");
    const { id: three } = await create("Group", "three");
    const { id: member } = await create("User", "member");
    for (const path of [`${one}/members/${member}`, `${two}/members/${one}`]) {
      assert.equal((await world.admin("PUT", `principals/${path}`)).status, 204);
    }
    assert.deepEqual(world.service.groupsOf(member), [one, two]);
    await world.admin("PUT", `principals/${three}/members/${two}`);
    await world.admin("PUT", `principals/${one}/members/${three}`);
    assert.deepEqual(world.service.groupsOf(member), [one, two, three]);
    assert.deepEqual(world.service.groupsOf(one).toSorted(), [one, two, three].toSorted());
    const { json } = await world.admin("POST", "tokens", { principalId: member, audience: API_A });
    assert.deepEqual(claimsOf(json["access_token"])["groups"], [one, two, three]);
    await world.admin("DELETE", `principals/${two}/members/${one}`);
    assert.deepEqual(world.service.groupsOf(member), [one]);
    await world.admin("DELETE", `principals/${one}`);
    assert.deepEqual(world.service.groupsOf(member), []);
    assert.equal(world.service.principalKind(one), undefined);
    const wrong = await world.admin("PUT", `principals/${member}/members/${two}`);
    assert.match(wrong.error?.message ?? "", /Only groups have members/);
    const nobody = await world.admin("PUT", `principals/${two}/members/none`);
    assert.equal(nobody.status, 404);
  });

  test("shows a secret once, and lets nobody in with it once it is deleted or over", async () => {
    const { id } = await create("ServicePrincipal", "secretive");
    const expiresAt = new Date(world.clock.now + 60_000).toISOString();
    const body = { description: "ci", expiresAt };
    const { status, json } = await world.admin("POST", `principals/${id}/secrets`, body);
    const { secret, ...shown } = json;
    assert.equal(status, 201);
    const createdAt = new Date(world.clock.now).toISOString();
    assert.deepEqual(shown, { id: shown["id"], principalId: id, ...body, createdAt });
    const all = await world.admin("GET", `principals/${id}/secrets`);
    assert.deepEqual(all.json, { value: [shown] });
    const form = { grant_type: "client_credentials", client_id: id, client_secret: String(secret) };
    const enter = async (change = {}) =>
      (await world.post("/common/oauth2/token", { ...form, ...change })).status;
    assert.deepEqual([await enter(), await enter({ client_id: "secretive" })], [200, 200]);
    world.clock.now += 60_000;
    assert.equal(await enter(), 401);
    const second = await world.admin("POST", `principals/${id}/secrets`);
    form.client_secret = String(second.json["secret"]);
    assert.equal(await enter(), 200);
    const path = `principals/${id}/secrets/${String(second.json["id"])}`;
    assert.equal((await world.admin("DELETE", path)).status, 204);
    assert.equal(await enter(), 401);
    assert.equal((await world.admin("DELETE", path)).error?.code, "CredentialNotFound");
    const past = await world.admin("POST", `principals/${id}/secrets`, { expiresAt: "2020-01-01" });
    assert.match(past.error?.message ?? "", /expiresAt "2020-01-01" is not a time in the future/);
    for (let count = 1; count < 20; count += 1) {
      await world.admin("POST", `principals/${id}/secrets`);
    }
    const full = await world.admin("POST", `principals/${id}/secrets`);
    assert.deepEqual([full.status, full.error?.code], [409, "CredentialLimitExceeded"]);
  });

  test("finds the caller of an API key, which is no client's secret", async () => {
    const { id } = await create("ServicePrincipal", "keyed");
    const { json } = await world.admin("POST", `principals/${id}/apiKeys`);
    const key = String(json["key"]);
    assert.deepEqual(await world.service.findApiKey(key), {
      objectId: id,
      kind: "ServicePrincipal",
      tenantId: world.service.tenantId,
      scheme: "api-key",
    });
    const form = { grant_type: "client_credentials", client_id: id, client_secret: key };
    assert.equal((await world.post("/common/oauth2/token", form)).status, 401);
    assert.equal(await world.service.findApiKey(world.client.client_secret), undefined);
    await world.admin("DELETE", `principals/${id}`);
    assert.equal(await world.service.findApiKey(key), undefined);
  });

  test("lets nobody become another without the right to impersonate", async () => {
    const { id } = await create("ServicePrincipal", "victim");
    const { id: user } = await create("User", "victim");
    const { id: group } = await create("Group", "victims");
    world.denied.add("impersonate/action");
    const app = `principals/${id}`;
    const attempts: readonly [Parameters<typeof world.admin>[0], string, object?][] = [
      ["POST", "tokens", { principalId: id, audience: API_A }],
      ["POST", `${app}/secrets`],
      ["POST", `${app}/apiKeys`],
      ["PUT", `principals/${group}/members/${id}`],
      ["PATCH", `principals/${user}`, { password: "a new password" }],
      ["PATCH", app, { redirectUris: ["https://evil.test/"] }],
      ["PATCH", app, { externalIssuer: "https://i.test", externalSubject: "evil" }],
      ["PATCH", app, { publicClient: true }],
    ];
    for (const [method, path, body] of attempts) {
      const { status, error } = await world.admin(method, path, body);
      assert.deepEqual([status, error?.code], [403, "AuthorizationFailed"], `${method} ${path}`);
    }
    const known = await world.admin("GET", "principals");
    for (const body of [
      { kind: "User", name: "mole", password: "a new password" },
      { kind: "User", name: "mole", externalIssuer: "https://i.test", externalSubject: "m" },
      { kind: "ServicePrincipal", name: "mole", redirectUris: ["https://evil.test/"] },
      { kind: "ServicePrincipal", name: "mole", publicClient: true },
      { kind: "ServicePrincipal", name: "mole", implicitFlow: true },
    ]) {
      const { status, error } = await world.admin("POST", "principals", body);
      assert.deepEqual([status, error?.code], [403, "AuthorizationFailed"], JSON.stringify(body));
    }
    assert.deepEqual(await world.admin("GET", "principals"), known);
    await create("User", "harmless");
    assert.equal((await world.admin("PATCH", app, { displayName: "V" })).status, 200);
    world.denied.clear();
    world.denied.add("principals/read").add("principals/write").add("principals/delete");
    world.denied.add("keys/rotate/action");
    for (const [method, path, body] of [
      ["GET", "principals"],
      ["GET", "principals/none"],
      ["POST", "principals", { kind: "User", name: "x" }],
      ["DELETE", "principals/none"],
      ["GET", "principals/none/secrets"],
      ["POST", "keys/rotate"],
    ] as const) {
      assert.equal((await world.admin(method, path, body)).status, 403, `${method} ${path}`);
    }
  });

  test("makes tokens for those who can have one, for audiences that are known", async () => {
    const [admin] = world.service.bootstrapOwners;
    const ask = async (principalId: string, audience: string) => {
      const { status, json, error } = await world.admin("POST", "tokens", {
        principalId,
        audience,
      });
      return { status, json, code: error?.code };
    };
    const { json } = await ask(admin?.id ?? "", API_A);
    const { access_token: token, ...rest } = json;
    const exp = Math.floor(world.clock.now / 1000) + 3600;
    assert.deepEqual(rest, { token_type: "Bearer", expires_in: 3600, expires_on: exp });
    const { scp, appid, oid } = claimsOf(token);
    assert.deepEqual([scp, appid, oid], ["user_impersonation", world.client.client_id, admin?.id]);
    const { id: group } = await create("Group", "no-token");
    assert.equal((await ask(group, API_A)).status, 400);
    assert.equal((await ask("none", API_A)).status, 404);
    assert.equal((await ask(admin?.id ?? "", "https://x.test")).status, 400);
    const { id: off } = await create("User", "off", { enabled: false });
    assert.equal((await ask(off, API_A)).code, "PrincipalDisabled");
  });
});
