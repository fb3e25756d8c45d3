import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, suite, test } from "node:test";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from "jose";
import { Problem } from "#platform/problem.ts";
import { API_A, identity } from "../identity.fixture.ts";

/** An OpenID Connect issuer on this machine, whose keys come and go. */
async function startIssuer() {
  const keys: JWK[] = [];
  const signing = new Map<string, { key: CryptoKey; alg: string }>();
  const asked: string[] = [];
  const state = { issuer: "", status: 200 };
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const discovery = { issuer: state.issuer, jwks_uri: `${origin}/keys` };
    response.writeHead(state.status, { "content-type": "application/json" });
    response.end(JSON.stringify(request.url === "/keys" ? { keys } : discovery));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  state.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function addKey(kid: string, alg: string, shown: object = {}): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(alg);
    keys.push({ ...(await exportJWK(publicKey)), kid, use: "sig", ...shown });
    signing.set(kid, { key: privateKey, alg });
  }

  async function sign(kid: string, nowMs: number, claims: object = {}): Promise<string> {
    const found = signing.get(kid);
    assert.ok(found !== undefined);
    const nowS = Math.floor(nowMs / 1000);
    const base = { iss: state.issuer, aud: "atoll", sub: "sub-1", iat: nowS, exp: nowS + 600 };
    const token = new SignJWT({ ...base, groups: ["everybody"], ...claims });
    return token.setProtectedHeader({ alg: found.alg, kid }).sign(found.key);
  }

  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { state, asked, keys, addKey, sign, stop };
}

suite("tokens of another issuer", () => {
  let issuer: Awaited<ReturnType<typeof startIssuer>>;
  let world: Awaited<ReturnType<typeof identity>>;
  before(async () => {
    issuer = await startIssuer();
    await issuer.addKey("rsa", "RS256");
    await issuer.addKey("ec", "ES256", { alg: "ES256" });
    await issuer.addKey("pss", "PS256", { alg: "PS256" });
    await issuer.addKey("wide", "RS512");
    const { issuer: name } = issuer.state;
    world = await identity({ externalIssuers: [{ issuer: name, audiences: ["atoll", "other"] }] });
  });
  after(async () => {
    await world.stop();
    await issuer.stop();
  });

  const sign = (kid: string, claims = {}) => issuer.sign(kid, world.clock.now, claims);
  const verify = (token: string) => world.service.verifyToken(token, [API_A]);

  async function refusal(token: string) {
    const thrown: unknown = await verify(token).catch((error: unknown) => error);
    assert.ok(thrown instanceof Problem);
    return `${thrown.statusCode} ${thrown.message}`;
  }

  test("say whom to link, and count once that is done, with our groups only", async () => {
    const token = await sign("rsa");
    const { issuer: name } = issuer.state;
    assert.match(await refusal(token), new RegExp(`401 .*"sub-1" of the issuer "${name}"`));
    const { json } = await world.admin("POST", "principals", {
      kind: "User",
      name: "linked",
      externalIssuer: name,
      externalSubject: "sub-1",
    });
    const objectId = String(json["id"]);
    const { tenantId } = world.service;
    const caller = { objectId, kind: "User", tenantId, scheme: "bearer" };
    assert.deepEqual(await verify(token), caller);
    const client = await verify(await sign("rsa", { azp: "their-app" }));
    assert.deepEqual(client, { ...caller, clientId: "their-app" });
    assert.deepEqual(world.service.groupsOf(objectId), []);
    assert.deepEqual(await verify(await sign("ec")), caller);
    assert.deepEqual(await verify(await sign("pss", { aud: ["x", "other"] })), caller);
    // Its own issuer may let anybody choose another claim than sub.
    const posing = await refusal(await sign("rsa", { sub: "somebody", oid: "sub-1" }));
    assert.match(posing, /No principal is linked to the subject "somebody"/);
    assert.deepEqual(await verify(await sign("rsa", { oid: "else" })), caller);
    await world.admin("PATCH", `principals/${objectId}`, { enabled: false });
    assert.match(await refusal(await sign("rsa", { oid: "else" })), /disabled/);
  });

  test("are refused for another audience, another time, and another algorithm", async () => {
    const nowS = Math.floor(world.clock.now / 1000);
    const rows: readonly [Promise<string>, RegExp][] = [
      [sign("rsa", { aud: API_A }), /401 The token is for "https:\/\/a\.test".*atoll, other/],
      [sign("rsa", { exp: nowS - 61 }), /401 The token has expired/],
      [sign("rsa", { nbf: nowS + 61 }), /401 The token is not valid yet/],
      [sign("rsa", { exp: undefined }), /401 The claim exp/],
      [sign("wide"), /401 The token is signed by an algorithm/],
    ];
    for (const [token, sentence] of rows) assert.match(await refusal(await token), sentence);
    const [head = "", body = ""] = (await sign("rsa")).split(".");
    const none = Buffer.from('{"alg":"none","kid":"rsa"}').toString("base64url");
    assert.match(await refusal(`${none}.${body}.`), /401/);
    assert.match(await refusal(`${head}.${body}.AAAA`), /401 The signature/);
    const secret = new TextEncoder().encode(JSON.stringify(issuer.keys[0]));
    const claims = { iss: issuer.state.issuer, aud: "atoll", sub: "sub-1" };
    const forged = new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: "rsa" });
    assert.match(await refusal(await forged.sign(secret)), /401 .*algorithm/);
  });

  test("make us ask for new keys, but not more often than once a minute", async () => {
    const asked = issuer.asked.length;
    const [first = {}] = issuer.keys;
    issuer.keys.push({ ...first, kid: "unused" });
    await issuer.addKey("new", "RS256");
    const token = await sign("new");
    world.clock.now += 61_000;
    const answers = await Promise.all([refusal(token), refusal(token), refusal(token)]);
    for (const answer of answers) assert.match(answer, /No principal is linked|disabled/);
    assert.equal(issuer.asked.length, asked + 2);
    const { keys } = issuer;
    const unknown = keys.pop();
    assert.ok(unknown !== undefined);
    await issuer.addKey("newer", "RS256");
    for (const kid of ["newer", "newer", "newer"]) {
      assert.match(await refusal(await sign(kid)), /publishes no key that the token names/);
    }
    assert.equal(issuer.asked.length, asked + 2);
    world.clock.now += 61_000;
    assert.match(await refusal(await sign("newer")), /No principal is linked|disabled/);
  });

  test("are not refused but put off while their issuer cannot be asked", async () => {
    for (const change of [{ status: 500 }, { issuer: "http://127.0.0.1:1/else" }]) {
      const { issuer: name } = issuer.state;
      const fresh = await identity({ externalIssuers: [{ issuer: name, audiences: ["atoll"] }] });
      const token = await issuer.sign("rsa", fresh.clock.now);
      const kept = { ...issuer.state };
      Object.assign(issuer.state, change);
      const thrown: unknown = await fresh.service.verifyToken(token, []).catch((e: unknown) => e);
      Object.assign(issuer.state, kept);
      await fresh.stop();
      assert.ok(thrown instanceof Problem);
      assert.deepEqual([thrown.statusCode, thrown.code], [503, "IssuerUnavailable"]);
    }
  });
});
