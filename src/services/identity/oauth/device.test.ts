import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { API_A, claimsOf, identity } from "../identity.fixture.ts";
import { DEVICES_PER_ADDRESS_MAX } from "./device-codes.ts";

suite("signing in on a device", () => {
  let world: Awaited<ReturnType<typeof identity>>;
  let user: ReturnType<typeof world.newBrowser>;
  before(async () => {
    world = await identity();
    user = world.newBrowser();
    await user.get("/device");
    await user.signIn(world.credentials);
  });
  after(async () => world.stop());

  const path = "/common/oauth2/v2.0";

  async function start() {
    const form = { client_id: "atoll-cli", scope: `${API_A}/.default openid offline_access` };
    const { json } = await world.post(`${path}/devicecode`, form);
    return { deviceCode: String(json["device_code"]), userCode: String(json["user_code"]), json };
  }

  async function poll(deviceCode: string, change: Record<string, string> = {}) {
    const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
    const form = { grant_type, client_id: "atoll-cli", device_code: deviceCode, ...change };
    const { status, json } = await world.post(`${path}/token`, form);
    return { status, json, error: json["error"] };
  }

  async function enter(userCode: string, action: "allow" | "deny") {
    await user.get("/device");
    const question = await user.submit({ user_code: userCode });
    assert.match(question.body, /Atoll CLI/);
    return user.submit({ action });
  }

  test("tells the user where to go and the device how often to ask", async () => {
    const { json, userCode } = await start();
    const { device_code: _code, user_code: _user, message, ...rest } = json;
    assert.match(userCode, /^[BCDFGHJ-NP-TV-XZ]{4}-[BCDFGHJ-NP-TV-XZ]{4}$/);
    assert.match(String(message), /https:\/\/id\.test\/device .*code [A-Z-]{9}\./);
    assert.deepEqual(rest, {
      verification_uri: "https://id.test/device",
      verification_uri_complete: `https://id.test/device?user_code=${userCode}`,
      verification_url: "https://id.test/device",
      expires_in: 900,
      interval: 5,
    });
  });

  test("lets the device in once the user allows it, and once only", async () => {
    const { deviceCode, userCode } = await start();
    assert.equal((await poll(deviceCode)).error, "authorization_pending");
    assert.match(
      (await enter(userCode.toLowerCase().replace("-", " "), "allow")).body,
      /Connected/,
    );
    world.clock.now += 5000;
    const { status, json } = await poll(deviceCode);
    assert.equal(status, 200);
    const { aud, scp } = claimsOf(json["access_token"]);
    assert.deepEqual([aud, scp], [API_A, "user_impersonation openid"]);
    assert.equal(claimsOf(json["id_token"])["aud"], "atoll-cli");
    const again = { grant_type: "refresh_token", client_id: "atoll-cli" };
    const refresh_token = String(json["refresh_token"]);
    assert.equal((await world.post(`${path}/token`, { ...again, refresh_token })).status, 200);
    world.clock.now += 5000;
    assert.equal((await poll(deviceCode)).error, "invalid_grant");
  });

  test("slows down a device that asks too often", async () => {
    const { deviceCode } = await start();
    await poll(deviceCode);
    world.clock.now += 4999;
    assert.equal((await poll(deviceCode)).error, "slow_down");
    world.clock.now += 5000;
    assert.equal((await poll(deviceCode)).error, "slow_down");
    world.clock.now += 15_000;
    assert.equal((await poll(deviceCode)).error, "authorization_pending");
  });

  test("tells the device that the user has refused", async () => {
    const { deviceCode, userCode } = await start();
    await enter(userCode, "deny");
    assert.deepEqual([(await poll(deviceCode)).error], ["access_denied"]);
  });

  test("tells the device that nobody came in time", async () => {
    const { deviceCode, userCode } = await start();
    world.clock.now += 900_000;
    assert.equal((await poll(deviceCode)).error, "expired_token");
    await user.get("/device");
    const late = await user.submit({ user_code: userCode });
    assert.equal(late.statusCode, 400);
    assert.match(late.body, /role="alert"/);
  });

  test("gives nothing for another client's code, an unknown code or none", async () => {
    const { deviceCode, userCode } = await start();
    await enter(userCode, "allow");
    const other = { client_id: "atoll-console" };
    assert.equal((await poll(deviceCode, other)).error, "invalid_grant");
    assert.equal((await poll("x")).error, "invalid_grant");
    assert.equal((await poll("")).error, "invalid_request");
    const nobody = await world.post(`${path}/devicecode`, { client_id: "nobody" });
    assert.deepEqual([nobody.status, nobody.json["error"]], [400, "invalid_request"]);
  });

  test("gives nothing for a code that was allowed before the password changed", async () => {
    const { deviceCode, userCode } = await start();
    await enter(userCode, "allow");
    const [admin] = world.service.bootstrapOwners;
    const { password } = world.credentials;
    await world.admin("PATCH", `principals/${admin?.id ?? ""}`, { password });
    assert.equal((await poll(deviceCode)).error, "invalid_grant");
    await user.get("/device");
    await user.signIn(world.credentials);
  });

  test("lets no address take all the codes, and counts those that are open", async () => {
    const url = `${path}/devicecode`;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const payload = "client_id=atoll-cli";
    const ask = async (remoteAddress: string) =>
      world.inject({ method: "POST", url, payload, headers, remoteAddress });
    for (let count = 0; count < DEVICES_PER_ADDRESS_MAX; count += 1) {
      assert.equal((await ask("192.0.2.1")).statusCode, 200);
    }
    const full = await ask("192.0.2.1");
    assert.deepEqual(
      [full.statusCode, full.headers["retry-after"], full.json()],
      [
        429,
        "60",
        {
          error: "temporarily_unavailable",
          error_description: "100 device codes from 192.0.2.1 are open.",
        },
      ],
    );
    assert.equal((await ask("192.0.2.2")).statusCode, 200);
    world.clock.now += 900_000;
    assert.equal((await ask("192.0.2.1")).statusCode, 200);
  });

  test("asks a stranger to sign in and keeps the code for afterwards", async () => {
    const { userCode } = await start();
    const stranger = world.newBrowser();
    await stranger.get(`/device?user_code=${userCode}`);
    const page = await stranger.signIn(world.credentials);
    assert.match(page.body, new RegExp(`value="${userCode}"`));
    const forged = await stranger.submit({ user_code: userCode, action: "allow", form_token: "x" });
    assert.equal(forged.statusCode, 403);
  });
});
