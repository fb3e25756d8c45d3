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
  type Fields,
} from "../identity.fixture.ts";

type World = Awaited<ReturnType<typeof identity>>;

suite("the authorization endpoint", () => {
  let world: World;
  let user: ReturnType<World["newBrowser"]>;
  before(async () => {
    world = await identity();
    user = world.newBrowser();
    await user.get("/login");
    await user.signIn(world.credentials);
  });
  after(async () => world.stop());

  async function refused(change: Record<string, string | undefined>, path?: string) {
    const { to, fields } = sentTo(await user.get(world.authorizeUrl(change, path)));
    assert.equal(to, CALLBACK);
    assert.equal(fields["access_token"], undefined);
    return [fields["error"], fields["state"]];
  }

  test("gives a token in the fragment, for the resource as it was written", async () => {
    for (const resource of [API_A, `${API_A}/`, API_B, API_B.slice(0, -1)]) {
      const answer = await user.get(world.authorizeUrl({ resource }));
      assert.match(String(answer.headers.location), /^http:\/\/127\.0\.0\.1:5123\/callback#/);
      assert.equal(answer.headers["cache-control"], "no-store");
      assert.equal(answer.headers["referrer-policy"], "no-referrer");
      const { access_token: token, ...fields } = sentTo(answer).fields;
      assert.deepEqual(fields, {
        token_type: "Bearer",
        expires_in: "3600",
        scope: "user_impersonation",
        state: "s1",
      });
      const { jti, ...claims } = claimsOf(token);
      assert.equal(typeof jti, "string");
      const oid = world.service.bootstrapOwners[0]?.id;
      assert.deepEqual(claims, {
        iss: AUTH,
        aud: resource,
        sub: oid,
        oid,
        tid: world.service.tenantId,
        ver: "1.0",
        appid: world.client.client_id,
        idtyp: "user",
        scp: "user_impersonation",
        name: "admin",
        preferred_username: "admin",
        iat: 1_767_323_045,
        nbf: 1_767_323_045,
        exp: 1_767_326_645,
      });
    }
  });

  test("takes the resource from scopes, in every form that clients use", async () => {
    const forms: readonly [Record<string, string | undefined>, string][] = [
      [{ resource: undefined, scope: `${API_A}/.default` }, API_A],
      [{ resource: undefined, scope: `${API_A}//.default` }, `${API_A}/`],
      [{ resource: undefined, scope: `openid ${API_A}/user_impersonation` }, API_A],
      [{ resource: undefined, scope: "user_impersonation" }, AUTH],
      [{ scope: "user_impersonation" }, API_A],
      [{ scope: ".default" }, API_A],
      [{ resource: undefined }, AUTH],
      [{ resource: undefined, scope: "openid profile" }, `${AUTH}/oidc/userinfo`],
    ];
    for (const [change, audience] of forms) {
      const { fields } = sentTo(await user.get(world.authorizeUrl(change)));
      assert.equal(claimsOf(fields["access_token"])["aud"], audience);
    }
  });

  test("gives an id token alone or with a token, in any order of words", async () => {
    for (const response_type of ["id_token", "id_token token", "token id_token"]) {
      const url = world.authorizeUrl({ response_type, nonce: "n+1 &=", scope: "openid" });
      const { fields } = sentTo(await user.get(url));
      const { aud, nonce, auth_time: time, at_hash: hash } = claimsOf(fields["id_token"]);
      assert.deepEqual([aud, nonce, time], [world.client.client_id, "n+1 &=", 1_767_323_045]);
      assert.equal(hash !== undefined, response_type !== "id_token");
      assert.equal(fields["access_token"] !== undefined, response_type !== "id_token");
    }
  });

  test("returns the state unchanged, whatever it is made of", async () => {
    for (const state of ["a b+c&d=e#f%20?g", "ä€😀", "\"<script>'", "{}[]|\\^`~"]) {
      const { location } = (await user.get(world.authorizeUrl({ state }))).headers;
      const sent = /[#&]state=([^&]*)/.exec(String(location))?.[1] ?? "";
      // Some clients decode forms, others URIs: both read the same.
      assert.equal(decodeURIComponent(sent), state);
      assert.deepEqual(await refused({ state, response_type: "x" }), [
        "unsupported_response_type",
        state,
      ]);
    }
  });

  test("shows a page and sends nobody anywhere when the address is not the client's", async () => {
    const wrong: readonly Record<string, string | undefined>[] = [
      { client_id: undefined },
      { client_id: "nobody" },
      { redirect_uri: undefined },
      { redirect_uri: "https://evil.test/callback" },
      { redirect_uri: `${CALLBACK}/more` },
      { redirect_uri: `${CALLBACK}?and=more` },
      { redirect_uri: "http://127.0.0.1:5123/Callback" },
      { redirect_uri: "HTTP://127.0.0.1:5123/callback" },
      { redirect_uri: "http://127.0.0.1:5123/%63allback" },
      { redirect_uri: "http://127.0.0.1:5123/callback/../callback" },
      { redirect_uri: "http://127.0.0.1:80@evil.test/callback" },
      { redirect_uri: "http://127.0.0.1.evil.test/callback" },
      { redirect_uri: "http://127.0.0.2/callback" },
      { redirect_uri: "https://127.0.0.1:5123/callback" },
      { redirect_uri: "http://127.0.0.1:0/callback" },
      { redirect_uri: "http://127.0.0.1:65536/callback" },
      { redirect_uri: "http://127.0.0.1:99999/callback", response_mode: "form_post" },
    ];
    for (const change of wrong) {
      const answer = await user.get(world.authorizeUrl(change));
      assert.equal(answer.statusCode, 400, JSON.stringify(change));
      assert.equal(answer.headers.location, undefined);
      assert.match(String(answer.headers["content-type"]), /^text\/html/);
    }
    const twice = `${world.authorizeUrl()}&redirect_uri=${encodeURIComponent(CALLBACK)}`;
    assert.equal((await user.get(twice)).statusCode, 400);
    const unknown = await user.get(world.authorizeUrl({}, "/other-tenant/oauth2"));
    assert.equal(unknown.statusCode, 400);
    const shown = await user.get(world.authorizeUrl({ client_id: "<script>alert(1)</script>" }));
    assert.doesNotMatch(shown.body, /<script>alert/);
  });

  test("takes any port on a loopback address", async () => {
    for (const redirect_uri of [
      "http://127.0.0.1/callback",
      "http://localhost:1/callback",
      "http://localhost:65535/",
      "http://localhost",
    ]) {
      assert.equal(sentTo(await user.get(world.authorizeUrl({ redirect_uri }))).to, redirect_uri);
    }
  });

  test("tells the client what is wrong with its request", async () => {
    const rows: readonly [Record<string, string | undefined>, string][] = [
      [{ response_type: undefined }, "invalid_request"],
      [{ response_type: "token  id_token" }, "invalid_request"],
      [{ response_type: "token token" }, "invalid_request"],
      [{ response_type: "code token" }, "unsupported_response_type"],
      [{ response_type: "id_token" }, "invalid_request"],
      [{ resource: "https://unknown.test" }, "invalid_target"],
      [{ scope: "mail.read" }, "invalid_scope"],
      [{ scope: "https://unknown.test/.default" }, "invalid_scope"],
      [{ scope: `${API_B}.default` }, "invalid_scope"],
      [{ response_mode: "query" }, "invalid_request"],
      [{ response_mode: "pigeon" }, "invalid_request"],
      [{ prompt: "none login" }, "invalid_request"],
      [{ prompt: "dance" }, "invalid_request"],
      [{ max_age: "soon" }, "invalid_request"],
      [{ request: "x" }, "request_not_supported"],
      [{ request_uri: "x" }, "request_uri_not_supported"],
      [{ prompt: "none", login_hint: "somebody-else" }, "login_required"],
    ];
    for (const [change, error] of rows) {
      assert.deepEqual(await refused(change), [error, "s1"], JSON.stringify(change));
    }
    const twice = await user.get(`${world.authorizeUrl()}&resource=${API_A}`);
    assert.equal(sentTo(twice).fields["error"], "invalid_request");
    const states = sentTo(await user.get(`${world.authorizeUrl()}&state=s2`)).fields;
    assert.deepEqual([states["error"], states["state"]], ["invalid_request", undefined]);
  });

  test("tells a client without the implicit flow that it may not use it", async () => {
    const answer = await user.get(
      world.authorizeUrl({ client_id: "atoll-console", redirect_uri: `${AUTH}/console/` }),
    );
    assert.equal(sentTo(answer).fields["error"], "unauthorized_client");
  });

  test("demands S256 of public clients and takes nothing weaker from any", async () => {
    const code = { response_type: "code", resource: API_A };
    const open = { client_id: "atoll-console", redirect_uri: `${AUTH}/console/`, ...code };
    const rows: readonly Record<string, string>[] = [
      open,
      { ...open, code_challenge: CHALLENGE },
      { ...open, code_challenge: CHALLENGE, code_challenge_method: "plain" },
      { ...open, code_challenge: "short", code_challenge_method: "S256" },
      { ...open, code_challenge_method: "S256" },
      { ...code, code_challenge: VERIFIER, code_challenge_method: "plain" },
    ];
    for (const change of rows) {
      const answer = await user.get(world.authorizeUrl(change));
      assert.match(String(answer.headers.location), /\?error=invalid_request&/);
    }
  });

  test("answers in a form when that is asked for, and works as one itself", async () => {
    const page = await user.get(world.authorizeUrl({ response_mode: "form_post" }));
    assert.equal(page.statusCode, 200);
    assert.match(page.body, /<form method="post" action="http:\/\/127\.0\.0\.1:5123\/callback"/);
    assert.match(String(user.hidden()["access_token"]), /^eyJ/);
    const policy = String(page.headers["content-security-policy"]);
    assert.match(policy, /form-action 'self' http:\/\/127\.0\.0\.1:5123;/);
    const [path = "", query = ""] = world.authorizeUrl().split("?");
    const answer = await user.submit(Object.fromEntries(new URLSearchParams(query)), path);
    assert.equal(answer.statusCode, 303);
    const { fields } = sentTo(await user.get(String(answer.headers.location)));
    assert.equal(typeof fields["access_token"], "string");
  });

  test("lets the user sign in first, and again when the client insists", async () => {
    const stranger = world.newBrowser();
    const silent = sentTo(await stranger.get(world.authorizeUrl({ prompt: "none" }))).fields;
    assert.deepEqual([silent["error"], silent["state"]], ["login_required", "s1"]);
    for (const change of [
      {},
      { prompt: "login" },
      { prompt: "select_account" },
      { max_age: "0" },
    ]) {
      world.clock.now += 1000;
      const form = await stranger.get(world.authorizeUrl({ ...change, state: "a b" }));
      assert.equal(form.statusCode, 200);
      const fields: Fields = sentTo(await stranger.signIn(world.credentials)).fields;
      assert.deepEqual([fields["state"], typeof fields["access_token"]], ["a b", "string"]);
    }
  });

  test("tells the client when the user does not want to sign in", async () => {
    const stranger = world.newBrowser();
    await stranger.get(world.authorizeUrl());
    const { fields } = sentTo(await stranger.submit({ action: "cancel" }));
    assert.deepEqual([fields["error"], fields["state"]], ["access_denied", "s1"]);
  });
});
