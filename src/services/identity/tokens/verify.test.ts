import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createPublicKey } from "node:crypto";
import { decodeJwt, generateKeyPair, SignJWT, UnsecuredJWT, type JWK } from "jose";
import { Problem } from "#platform/problem.ts";
import { API_A, API_B, AUTH, identity } from "../identity.fixture.ts";

suite("checking a token", () => {
  let world: Awaited<ReturnType<typeof identity>>;
  let token: string;
  before(async () => {
    world = await identity();
    token = await world.clientToken(API_A);
  });
  after(async () => world.stop());

  async function refusal(sent: string, audiences: readonly string[] = [API_A]): Promise<string> {
    const thrown: unknown = await world.service
      .verifyToken(sent, audiences)
      .catch((e: unknown) => e);
    assert.ok(thrown instanceof Problem);
    assert.deepEqual([thrown.statusCode, thrown.code], [401, "InvalidAuthenticationToken"]);
    assert.ok(sent.length < 50 || !thrown.message.includes(sent));
    return thrown.message;
  }

  async function published() {
    const { keys } = (await world.inject({ url: "/common/discovery/keys" })).json<{
      keys: JWK[];
    }>();
    return keys;
  }

  test("tells who calls, for the audience with or without its slash", async () => {
    const id = world.client.client_id;
    const caller = {
      objectId: id,
      kind: "ServicePrincipal",
      tenantId: world.service.tenantId,
      scheme: "bearer",
      clientId: id,
    };
    assert.deepEqual(await world.service.verifyToken(token, [API_A]), caller);
    assert.deepEqual(await world.service.verifyToken(token, [API_B, `${API_A}/`]), caller);
  });

  test("refuses a token for A at B", async () => {
    await world.service.verifyToken(token, [API_A]);
    assert.match(await refusal(token, [API_B]), /for https:\/\/a\.test; here .* https:\/\/b\.test/);
    assert.match(await refusal(token, []), /is for/);
  });

  test("refuses tokens that another algorithm makes look signed", async () => {
    const [key = {}] = await published();
    const header = { typ: "JWT", kid: String(key["kid"]) };
    const claims = decodeJwt(token);
    const none = new UnsecuredJWT(claims).encode();
    const pem = createPublicKey({ key, format: "jwk" }).export({ type: "spki", format: "pem" });
    const secret = new TextEncoder().encode(pem);
    const sign = new SignJWT(claims);
    const confused = await sign.setProtectedHeader({ ...header, alg: "HS256" }).sign(secret);
    const modulus = new TextEncoder().encode(String(key.n));
    const raw = await new SignJWT(claims)
      .setProtectedHeader({ ...header, alg: "HS256" })
      .sign(modulus);
    for (const forged of [none, confused, raw]) await refusal(forged);
    const { privateKey } = await generateKeyPair("RS256");
    const foreign = await new SignJWT(claims)
      .setProtectedHeader({ ...header, alg: "RS256" })
      .sign(privateKey);
    assert.match(await refusal(foreign), /signature/);
    const [head = "", body = "", signature = ""] = token.split(".");
    const changed = Buffer.from(JSON.stringify({ ...claims, aud: API_B })).toString("base64url");
    assert.match(await refusal(`${head}.${changed}.${signature}`, [API_B]), /signature/);
    for (const broken of ["", "x", "a.b.c", `${head}.${body}.`, "x".repeat(20_000)]) {
      await refusal(broken);
    }
  });

  test("refuses an id token, which only tells who somebody is", async () => {
    const user = world.newBrowser();
    await user.get("/login");
    await user.signIn(world.credentials);
    const url = world.authorizeUrl({ response_type: "id_token", nonce: "n" });
    const { location } = (await user.get(url)).headers;
    const idToken = /id_token=([^&]*)/.exec(String(location))?.[1] ?? "";
    assert.match(await refusal(idToken, [world.client.client_id]), /no access token/);
  });

  test("refuses tokens of an issuer that is not this one", async () => {
    const claims = decodeJwt(token);
    const { privateKey } = await generateKeyPair("RS256");
    const other = new SignJWT({ ...claims, iss: `${AUTH}/common` });
    const forged = await other.setProtectedHeader({ alg: "RS256", kid: "k" }).sign(privateKey);
    await refusal(forged);
  });

  test("forgives a minute between clocks and not more", async () => {
    const fresh = await world.clientToken(API_A);
    const at = world.clock.now;
    world.clock.now = at - 59_000;
    await world.service.verifyToken(fresh, [API_A]);
    world.clock.now = at + 3_600_000 + 59_000;
    await world.service.verifyToken(fresh, [API_A]);
    world.clock.now = at + 3_600_000 + 61_000;
    assert.match(await refusal(fresh), /expired/);
    world.clock.now = at;
    const early = await world.clientToken(API_A);
    world.clock.now = at - 61_000;
    assert.match(await refusal(early), /not valid yet/);
    world.clock.now = at;
  });

  test("refuses a principal that is disabled or gone, at once", async () => {
    const { json: made } = await world.admin("POST", "principals", {
      kind: "ServicePrincipal",
      name: "short-lived",
    });
    const id = String(made["id"]);
    const issue = { principalId: id, audience: API_A };
    const { json } = await world.admin("POST", "tokens", issue);
    const own = String(json["access_token"]);
    assert.equal((await world.service.verifyToken(own, [API_A])).objectId, id);
    await world.admin("PATCH", `principals/${id}`, { enabled: false });
    assert.match(await refusal(own), /disabled/);
    await world.admin("PATCH", `principals/${id}`, { enabled: true });
    assert.equal((await world.service.verifyToken(own, [API_A])).objectId, id);
    await world.admin("DELETE", `principals/${id}`);
    assert.match(await refusal(own), /does not exist/);
    assert.deepEqual(world.removed, [id]);
  });

  test("keeps tokens good while keys rotate, and forgets a key after its last token", async () => {
    const kidOf = (jwt: string) => {
      const header = Buffer.from(jwt.split(".")[0] ?? "", "base64url").toString("utf8");
      return (JSON.parse(header) as { kid: string }).kid;
    };
    const kids = async () => (await published()).map((key) => key["kid"]);
    const old = await world.clientToken(API_A);
    const first = kidOf(old);
    const { status, json } = await world.admin("POST", "keys/rotate");
    const second = String(json["kid"]);
    assert.deepEqual([status, await kids()], [200, [first, second]]);
    const again = await world.admin("POST", "keys/rotate");
    assert.deepEqual([again.status, again.error?.code], [409, "KeyRotationPending"]);
    assert.equal(kidOf(await world.clientToken(API_A)), first);

    world.clock.now += 600_000;
    assert.equal(kidOf(await world.clientToken(API_A)), second);
    await world.service.verifyToken(old, [API_A]);
    world.clock.now += 3_659_000;
    assert.deepEqual(await kids(), [first, second]);
    world.clock.now += 1000;
    assert.deepEqual(await kids(), [second]);
    await world.service.verifyToken(await world.clientToken(API_A), [API_A]);
  });
});
