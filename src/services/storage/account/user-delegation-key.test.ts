import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { delegationSas, type DelegationKey } from "../access/signatures.fixture.ts";
import {
  createAppendBlob,
  send,
  startStorage,
  TOKENS,
  VERSION,
  type TestStorage,
} from "../storage.fixture.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const BEARER = { authorization: `Bearer ${TOKENS["reader"] ?? ""}` };
const NOBODY = { authorization: `Bearer ${TOKENS["nobody"] ?? ""}` };
const PERMISSION = [403, "AuthorizationPermissionMismatch"];
const FAILED = [403, "AuthenticationFailed"];

suite("user delegation", () => {
  let storage: TestStorage;
  let mayRead = true;
  before(async () => {
    storage = await startStorage({
      decide: ({ objectId }, { action }) =>
        action.endsWith("/generateUserDelegationKey/action")
          ? objectId === "reader"
          : objectId === "reader" && mayRead && action.endsWith("/read"),
    });
    await createAppendBlob(storage, "logs/a");
  });
  after(() => storage.stop());

  const ask = (info: string, headers: Record<string, string> = BEARER) =>
    send(storage, "?restype=service&comp=userdelegationkey", {
      method: "POST",
      headers,
      body: `<KeyInfo>${info}</KeyInfo>`,
    });
  const times = (start: string, expiry: string) =>
    `<Start>${start}</Start><Expiry>${expiry}</Expiry>`;
  const key = async (more = ""): Promise<DelegationKey> => {
    const { text } = await ask(times(inDays(0), inDays(2)) + more);
    const of = (name: string) => new RegExp(`<${name}>(.*)</${name}>`).exec(text)?.[1] ?? "";
    const fields = {
      skoid: of("SignedOid"),
      sktid: of("SignedTid"),
      skt: of("SignedStart"),
      ske: of("SignedExpiry"),
      sks: of("SignedService"),
      skv: of("SignedVersion"),
      ...(more !== "" && { skdutid: of("SignedDelegatedUserTid") }),
    };
    return { fields, value: of("Value") };
  };
  const outcome = async (query: string, method: "GET" | "PUT" = "GET", headers = {}) => {
    const path = `logs/a?${method === "PUT" ? "comp=appendblock&" : ""}${query}`;
    const unsigned = { method, unsigned: true, headers };
    const { status, code } = await send(storage, path, { ...unsigned, body: "x" });
    return [status, code];
  };

  test("gives a key that tells whose it is and until when", async () => {
    const { fields, value } = await key();
    const { skt = "", ske = "", ...rest } = fields;
    assert.deepEqual(rest, { skoid: "reader", sktid: "t1", sks: "b", skv: VERSION });
    assert.equal(Date.parse(ske) - Date.parse(skt), 2 * DAY_MS);
    assert.match(ske, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.equal(Buffer.from(value, "base64").length, 32);
  });

  test("signs for others what the signer may do itself", async () => {
    const mine = await key();
    assert.deepEqual(await outcome(delegationSas(mine, "r", "logs/a")), [200, ""]);
    assert.deepEqual(await outcome(delegationSas(mine, "r", "logs")), [200, ""]);
    assert.deepEqual(await outcome(delegationSas(mine, "l", "logs/a")), PERMISSION);
    assert.deepEqual(await outcome(delegationSas(mine, "a", "logs/a"), "PUT"), PERMISSION);
    mayRead = false;
    assert.deepEqual(await outcome(delegationSas(mine, "r", "logs/a")), PERMISSION);
    mayRead = true;
    const later = { ske: inDays(7) };
    assert.deepEqual(await outcome(delegationSas(mine, "r", "logs/a", later)), FAILED);
    const other = { skoid: "nobody" };
    assert.deepEqual(await outcome(delegationSas(mine, "r", "logs/a", other)), FAILED);
  });

  test("binds a signature to the token of one user, if it says so", async () => {
    const mine = await key("<DelegatedUserTid>t1</DelegatedUserTid>");
    const ofTenant = delegationSas(mine, "r", "logs/a");
    const ofNobody = delegationSas(mine, "r", "logs/a", { sduoid: "nobody" });
    assert.deepEqual(await outcome(ofTenant), FAILED);
    assert.deepEqual(await outcome(ofTenant, "GET", NOBODY), [200, ""]);
    assert.deepEqual(await outcome(ofNobody, "GET", NOBODY), [200, ""]);
    assert.deepEqual(await outcome(ofNobody, "GET", BEARER), FAILED);
    assert.deepEqual(await outcome(ofNobody), FAILED);
  });

  test("gives keys for 7 days at most, and only to those who may have them", async () => {
    const code = async (info: string, headers?: Record<string, string>) =>
      (await ask(info, headers)).code;
    assert.equal(await code(`<Expiry>${inDays(6.9)}</Expiry>`), "");
    assert.equal(await code(times(inDays(0), inDays(7.1))), "InvalidXmlNodeValue");
    assert.equal(await code(times(inDays(0), inDays(-1))), "InvalidXmlNodeValue");
    assert.equal(await code(times("today", inDays(1))), "InvalidXmlNodeValue");
    assert.equal(await code(`<Start>${inDays(0)}</Start>`), "MissingRequiredXmlNode");
    assert.equal(await code(times(inDays(0), inDays(1)), NOBODY), PERMISSION[1]);
    assert.equal(await code(times(inDays(0), inDays(1)), {}), "AuthenticationFailed");
  });
});
