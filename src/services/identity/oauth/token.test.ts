import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import {
  API_A,
  API_B,
  AUTH,
  CALLBACK,
  CHALLENGE,
  claimsOf,
  identity,
  sentTo,
  VERIFIER,
} from "../identity.fixture.ts";

suite("the token endpoint", () => {
  let world: Awaited<ReturnType<typeof identity>>;
  let user: ReturnType<typeof world.newBrowser>;
  before(async () => {
    world = await identity();
    user = world.newBrowser();
    await user.get("/login");
    await user.signIn(world.credentials);
  });
  after(async () => world.stop());

  const proven = { code_challenge: CHALLENGE, code_challenge_method: "S256" };

  async function codeFor(change: Record<string, string | undefined> = {}) {
    const url = world.authorizeUrl({ response_type: "code", ...proven, ...change });
    const answer = await user.get(url);
    assert.match(String(answer.headers.location), /\/callback\?code=/);
    return String(sentTo(answer).fields["code"]);
  }

  async function redeem(code: string, change: Record<string, string> = {}) {
    const form = { grant_type: "authorization_code", code, redirect_uri: CALLBACK };
    return world.token({ ...form, code_verifier: VERIFIER, ...change });
  }

  async function errorOf(answer: Promise<{ status: number; json: Record<string, unknown> }>) {
    const { status, json } = await answer;
    assert.equal(typeof json["error_description"], "string");
    return [status, json["error"]];
  }

  test("gives an application a token of its own", async () => {
    const form = { grant_type: "client_credentials", scope: `${API_A}/.default` };
    const { status, json, headers } = await world.token(form);
    const { access_token: token, ...rest } = json;
    assert.equal(status, 200);
    assert.equal(headers["cache-control"], "no-store");
    assert.deepEqual(rest, {
      token_type: "Bearer",
      expires_in: 3600,
      expires_on: 1_767_326_645,
      resource: API_A,
    });
    const { scp, aud, idtyp, sub } = claimsOf(token);
    const expected = [undefined, API_A, "app", world.client.client_id];
    assert.deepEqual([scp, aud, idtyp, sub], expected);
  });

  test("names the issuer of the path that was called", async () => {
    const tenant = world.service.tenantId;
    const form = { grant_type: "client_credentials", resource: API_A };
    for (const [path, issuer, client] of [
      ["/common/oauth2/token", AUTH, "appid"],
      ["/organizations/oauth2/token", AUTH, "appid"],
      [`/${tenant}/oauth2/token`, `${AUTH}/${tenant}`, "appid"],
      [`/${tenant.toUpperCase()}/oauth2/v2.0/token`, `${AUTH}/${tenant}/v2.0`, "azp"],
      ["/common/oauth2/v2.0/token", `${AUTH}/${tenant}/v2.0`, "azp"],
    ] as const) {
      const claims = claimsOf((await world.token(form, path)).json["access_token"]);
      assert.deepEqual([claims["iss"], claims[client]], [issuer, world.client.client_id]);
    }
    const other = "11111111-1111-4111-8111-111111111111";
    const refused = world.token(form, `/${other}/oauth2/token`);
    assert.deepEqual(await errorOf(refused), [400, "invalid_request"]);
    for (const path of [`/${other}`, `/${other}/v2.0`]) {
      const url = `${path}/.well-known/openid-configuration`;
      assert.equal((await world.inject({ url })).statusCode, 400);
    }
  });

  test("publishes a document for each issuer, under the issuer's own name", async () => {
    const tenant = world.service.tenantId;
    for (const [place, issuer] of [
      ["", AUTH],
      ["/common", AUTH],
      [`/${tenant}`, `${AUTH}/${tenant}`],
      [`/${tenant}/v2.0`, `${AUTH}/${tenant}/v2.0`],
      ["/common/v2.0", `${AUTH}/${tenant}/v2.0`],
    ] as const) {
      const answer = await world.inject({ url: `${place}/.well-known/openid-configuration` });
      const document = answer.json<Record<string, unknown>>();
      assert.equal(document["issuer"], issuer);
      assert.equal(document["jwks_uri"], `${AUTH}/common/discovery/keys`);
    }
    const keys = await world.inject({ url: "/common/discovery/keys" });
    assert.equal(keys.headers["cache-control"], "public, max-age=300");
    const [key] = keys.json<{ keys: Record<string, string>[] }>().keys;
    assert.deepEqual(Object.keys(key ?? {}).toSorted(), ["alg", "e", "kid", "kty", "n", "use"]);
  });

  test("takes the client's secret in the body or by Basic, and proof of nothing else", async () => {
    const { client_id: id, client_secret: secret } = world.client;
    const basic = (text: string) => ({
      authorization: `Basic ${Buffer.from(text).toString("base64")}`,
    });
    const form = { grant_type: "client_credentials", resource: API_A };
    const path = "/common/oauth2/token";
    assert.equal((await world.post(path, form, basic(`${id}:${secret}`))).status, 200);
    for (const [change, headers, error] of [
      [{}, {}, "invalid_client"],
      [{ client_id: id }, {}, "invalid_client"],
      [{ client_id: "nobody", client_secret: secret }, {}, "invalid_client"],
      [{ client_id: id, client_secret: `${secret}x` }, {}, "invalid_client"],
      [{}, basic(`${id}:wrong`), "invalid_client"],
      [{}, basic(id), "invalid_client"],
      [{}, basic(`${id}:%`), "invalid_client"],
    ] as const) {
      const answer = await world.post(path, { ...form, ...change }, headers);
      assert.deepEqual([answer.status, answer.json["error"]], [401, error]);
      assert.match(String(answer.headers["www-authenticate"]), /^Basic /);
      assert.doesNotMatch(JSON.stringify(answer.json), new RegExp(secret));
    }
    const both = world.post(path, { ...form, client_secret: secret }, basic(`${id}:${secret}`));
    assert.deepEqual(await errorOf(both), [400, "invalid_request"]);
    const two = world.post(path, { ...form, client_id: "x" }, basic(`${id}:${secret}`));
    assert.deepEqual(await errorOf(two), [400, "invalid_request"]);
  });

  test("refuses what it does not serve by the protocol's codes", async () => {
    const rows: readonly [Record<string, string>, number, string][] = [
      [{}, 400, "invalid_request"],
      [{ grant_type: "password" }, 400, "unsupported_grant_type"],
      [{ grant_type: "constructor" }, 400, "unsupported_grant_type"],
      [{ grant_type: "client_credentials", resource: "https://x.test" }, 400, "invalid_target"],
      [{ grant_type: "client_credentials", scope: "x" }, 400, "invalid_scope"],
      [
        { grant_type: "client_credentials", scope: `${API_A}/.default ${API_B}.default` },
        400,
        "invalid_scope",
      ],
      [
        { grant_type: "client_credentials", scope: `${API_A}/.default ${API_B}/.default` },
        400,
        "invalid_scope",
      ],
      [{ grant_type: "authorization_code" }, 400, "invalid_request"],
      [{ grant_type: "refresh_token", refresh_token: "x" }, 400, "invalid_grant"],
      [{ grant_type: "device_code" }, 400, "invalid_request"],
    ];
    for (const [form, status, error] of rows) {
      assert.deepEqual(await errorOf(world.token(form)), [status, error], JSON.stringify(form));
    }
    const url = "/common/oauth2/token";
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const payload = "grant_type=client_credentials&grant_type=client_credentials";
    const twice = await world.inject({ method: "POST", url, payload, headers });
    assert.equal(twice.json<{ error: string }>().error, "invalid_request");
    const long = await world.inject({ method: "POST", url, payload: "a".repeat(65_537), headers });
    assert.deepEqual(
      [long.statusCode, long.json<{ error: string }>().error],
      [413, "invalid_request"],
    );
    const open = { grant_type: "client_credentials", client_id: "atoll-cli", resource: API_A };
    assert.deepEqual(await errorOf(world.post(url, open)), [400, "unauthorized_client"]);
  });

  test("exchanges a code once, for whoever asked for it, within a minute", async () => {
    const code = await codeFor({ scope: "openid profile", nonce: "n1" });
    const { status, json } = await redeem(code);
    assert.equal(status, 200);
    assert.deepEqual(
      [json["scope"], json["refresh_token"]],
      ["openid profile user_impersonation", undefined],
    );
    const { aud, nonce } = claimsOf(json["id_token"]);
    assert.deepEqual([aud, nonce], [world.client.client_id, "n1"]);
    assert.deepEqual(await errorOf(redeem(code)), [400, "invalid_grant"]);
    const stillGood = await world.service.verifyToken(String(json["access_token"]), [API_A]);
    assert.equal(stillGood.kind, "User");

    for (const change of [
      { code_verifier: "w".repeat(43) },
      { code_verifier: "" },
      { redirect_uri: "http://127.0.0.1:5124/callback" },
    ]) {
      assert.deepEqual(await errorOf(redeem(await codeFor(), change)), [400, "invalid_grant"]);
    }
    const foreign = { client_id: "atoll-console", client_secret: "" };
    assert.deepEqual(await errorOf(redeem(await codeFor(), foreign)), [400, "invalid_grant"]);
    const late = await codeFor();
    world.clock.now += 60_000;
    assert.deepEqual(await errorOf(redeem(late)), [400, "invalid_grant"]);
    const unproven = await codeFor({
      code_challenge: undefined,
      code_challenge_method: undefined,
    });
    assert.deepEqual(await errorOf(redeem(unproven)), [400, "invalid_grant"]);
  });

  test("gives one of several at the same time the code's tokens", async () => {
    const code = await codeFor();
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(code)));
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    assert.deepEqual(statuses, [200, 400, 400, 400, 400, 400, 400, 400]);
  });

  test("rotates refresh tokens, and ends them all when one is used again", async () => {
    const code = await codeFor({ scope: "openid offline_access" });
    const first = String((await redeem(code)).json["refresh_token"]);
    const refresh = (refresh_token: string, change = {}) =>
      world.token({ grant_type: "refresh_token", refresh_token, ...change });
    const wrong = { resource: "https://x.test" };
    assert.deepEqual(await errorOf(refresh(first, wrong)), [400, "invalid_target"]);
    const { json } = await refresh(first, { resource: API_B });
    assert.equal(claimsOf(json["access_token"])["aud"], API_B);
    const second = String(json["refresh_token"]);
    const third = String((await refresh(second)).json["refresh_token"]);
    assert.deepEqual(await errorOf(refresh(first)), [400, "invalid_grant"]);
    assert.deepEqual(await errorOf(refresh(third)), [400, "invalid_grant"]);
  });

  test("tells who the user is to whoever asked with openid", async () => {
    const { json } = await redeem(await codeFor({ scope: "openid" }));
    const ask = async (token: unknown) => {
      const headers = { authorization: `Bearer ${String(token)}` };
      const answer = await world.inject({ url: "/oidc/userinfo", headers });
      return [answer.statusCode, answer.json<unknown>()];
    };
    const sub = world.service.bootstrapOwners[0]?.id;
    const known = { sub, name: "admin", preferred_username: "admin" };
    assert.deepEqual(await ask(json["access_token"]), [200, known]);
    assert.equal((await ask(json["id_token"]))[0], 401);
    assert.equal((await ask((await redeem(await codeFor())).json["access_token"]))[0], 403);
    assert.equal((await ask("x"))[0], 401);
    assert.equal((await world.inject({ url: "/oidc/userinfo" })).statusCode, 401);
  });
});
