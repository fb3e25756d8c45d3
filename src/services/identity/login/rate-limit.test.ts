import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { realEnvironment } from "#platform/environment.ts";
import { browser } from "../browser.fixture.ts";
import { identity } from "../identity.fixture.ts";
import {
  ATTEMPTS_PER_ADDRESS_MAX,
  ATTEMPTS_PER_USER_MAX,
  createRateLimit,
  KEYS_MAX,
} from "./rate-limit.ts";

suite("the limit on guessing", () => {
  function limited() {
    const clock = { now: Date.parse("2026-01-02T03:04:05.000Z") };
    const limit = createRateLimit({ ...realEnvironment, now: () => new Date(clock.now) });
    return { clock, limit };
  }

  test("remembers who is slowed down, however many others come", () => {
    const { clock, limit } = limited();
    assert.deepEqual([limit.attempt("victim", 1), limit.attempt("victim", 1)], [0, 300]);
    clock.now += 1000;
    for (let count = 1; count < KEYS_MAX; count += 1) limit.attempt(`noise ${count}`, 1);
    // No room to count it, so that it waits, until the first count is over.
    assert.equal(limit.attempt("one more", 1), 299);
    assert.equal(limit.attempt("victim", 1), 299);
    clock.now += 299_000;
    assert.equal(limit.attempt("one more", 1), 0);
    assert.equal(limit.attempt("another", 1), 1);
  });

  test("counts nothing against a user once the address may not try any more", async () => {
    const world = await identity();
    const from = (remoteAddress: string) =>
      browser((request) => world.inject({ ...request, remoteAddress }));
    const guesser = from("192.0.2.1");
    await guesser.get("/login");
    for (let count = 0; count < ATTEMPTS_PER_ADDRESS_MAX; count += 1) {
      await guesser.submit({ username: "nobody", password: "x" });
    }
    for (let count = 0; count <= ATTEMPTS_PER_USER_MAX; count += 1) {
      const { statusCode } = await guesser.submit({ username: "admin", password: "x" });
      assert.equal(statusCode, 429);
    }
    const admin = from("192.0.2.2");
    await admin.get("/login");
    const { statusCode } = await admin.submit(world.credentials);
    await world.stop();
    assert.equal(statusCode, 303);
  });
});
