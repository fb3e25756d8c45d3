import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, suite, test } from "node:test";
import { identity, sentTo } from "../identity.fixture.ts";

suite("signing in", () => {
  let world: Awaited<ReturnType<typeof identity>>;
  beforeEach(async () => {
    world = await identity();
  });
  afterEach(async () => world.stop());

  test("shows a page that nothing can be put into and no other page can frame", async () => {
    const { headers, body, cookies } = await world.newBrowser().get(world.authorizeUrl());
    const policy = String(headers["content-security-policy"]);
    assert.match(policy, /default-src 'none'; style-src 'sha256-[^']+';/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.equal(headers["x-frame-options"], "DENY");
    assert.equal(headers["referrer-policy"], "no-referrer");
    assert.equal(headers["cache-control"], "no-store");
    assert.match(body, /<html lang="en">/);
    assert.doesNotMatch(body, /<script/);
    const [cookie] = cookies;
    assert.deepEqual(
      [cookie?.httpOnly, cookie?.sameSite, cookie?.secure, cookie?.path],
      [true, "Lax", true, "/"],
    );
  });

  test("changes the cookies once the user is known, and again the next time", async () => {
    const user = world.newBrowser();
    await user.get("/login");
    const before = user.cookies.get("atoll_form");
    const page = await user.signIn(world.credentials);
    assert.match(page.body, /signed in as <strong>admin<\/strong>/);
    const first = user.cookies.get("atoll_session");
    assert.notEqual(user.cookies.get("atoll_form"), before);
    await user.get("/login?return_to=/device");
    await user.signIn(world.credentials);
    assert.notEqual(user.cookies.get("atoll_session"), first);
    const old = world.newBrowser();
    old.cookies.set("atoll_session", String(first));
    assert.match((await old.get("/login")).body, /type="password"/);
  });

  test("refuses a form that this browser was not shown, or that was sent already", async () => {
    const user = world.newBrowser();
    await user.get("/login");
    const { form_token: token = "" } = user.hidden();
    const cookie = String(user.cookies.get("atoll_form"));
    const missing = await user.submit({ ...world.credentials, form_token: "" });
    assert.equal(missing.statusCode, 403);
    const stranger = world.newBrowser();
    await stranger.get("/login");
    const foreign = await stranger.submit({ ...world.credentials, form_token: token });
    assert.equal(foreign.statusCode, 403);
    const bare = world.newBrowser();
    const none = await bare.submit({ ...world.credentials, form_token: token }, "/login");
    assert.equal(none.statusCode, 403);
    assert.equal((await user.submit(world.credentials)).statusCode, 303);
    const again = world.newBrowser();
    again.cookies.set("atoll_form", cookie);
    const replayed = await again.submit({ ...world.credentials, form_token: token }, "/login");
    assert.equal(replayed.statusCode, 403);
    assert.equal(again.cookies.get("atoll_session"), undefined);
    assert.match(replayed.body, /role="alert"/);
  });

  test("refuses a form whose token was computed from a cookie that somebody chose", async () => {
    const cookie = `${Math.floor(world.clock.now / 1000)}.${"A".repeat(43)}`;
    const user = world.newBrowser();
    user.cookies.set("atoll_form", cookie);
    for (const text of [cookie, `form ${cookie}`]) {
      const form_token = createHash("sha256").update(text).digest("base64url");
      const forged = await user.submit({ ...world.credentials, form_token }, "/login");
      assert.equal(forged.statusCode, 403);
    }
    // A neighbour's form for the same cookie is of another key.
    const other = await identity();
    const guest = other.newBrowser();
    guest.cookies.set("atoll_form", cookie);
    await guest.get("/login");
    const { form_token = "" } = guest.hidden();
    await other.stop();
    user.cookies.set("atoll_form", cookie);
    const foreign = await user.submit({ ...world.credentials, form_token }, "/login");
    assert.equal(foreign.statusCode, 403);
  });

  test("refuses a form that lay open for more than an hour", async () => {
    const user = world.newBrowser();
    await user.get("/login");
    world.clock.now += 3_600_000;
    assert.equal((await user.submit(world.credentials)).statusCode, 403);
  });

  test("says the same of a wrong password, an unknown and a disabled user", async () => {
    const [admin] = world.service.bootstrapOwners;
    const answers: unknown[] = [];
    async function attempt(username: string, password: string) {
      const user = world.newBrowser();
      await user.get("/login");
      const { statusCode, body } = await user.submit({ username, password });
      const alert = /role="alert"[^>]*>([^<]*)</.exec(body)?.[1];
      answers.push([statusCode, alert?.trim(), user.cookies.has("atoll_session")]);
    }
    await attempt("admin", "wrong");
    await attempt("nobody", "wrong");
    await world.admin("PATCH", `principals/${admin?.id ?? ""}`, { enabled: false });
    await attempt("admin", world.credentials.password);
    const refusal = [401, "The username or the password is not right.", false];
    assert.deepEqual(answers, [refusal, refusal, refusal]);
  });

  test("lets nobody guess on, and says for how long", async () => {
    const user = world.newBrowser();
    await user.get("/login");
    for (let count = 0; count < 10; count += 1) {
      assert.equal((await user.submit({ username: "Admin", password: "x" })).statusCode, 401);
    }
    world.clock.now += 60_000;
    for (let count = 0; count < 40; count += 1) {
      assert.equal((await user.submit({ username: "ADMIN", password: "x" })).statusCode, 429);
    }
    // Nor with ever other names, from one address.
    assert.equal((await user.submit({ username: "other", password: "x" })).statusCode, 429);
    const slowed = await user.submit(world.credentials);
    assert.equal(slowed.statusCode, 429);
    assert.equal(slowed.headers["retry-after"], "240");
    assert.match(slowed.body, /too many attempts. Please try again in 4 minutes/);
    world.clock.now += 240_000;
    assert.equal((await user.submit(world.credentials)).statusCode, 303);
  });

  test("leads back to this server only", async () => {
    const elsewhere = ["https://evil.test/", "//evil.test/device", "/\\evil.test/device"];
    for (const place of [...elsewhere, "/admin/principals", "/x/oauth2/authorize/../../..", ""]) {
      const user = world.newBrowser();
      await user.get(`/login?return_to=${encodeURIComponent(place)}`);
      assert.equal(user.hidden()["return_to"], undefined, place);
      const answer = await user.submit({ ...world.credentials, return_to: place });
      assert.deepEqual([answer.statusCode, answer.headers.location], [303, "/login"]);
    }
  });

  test("ends after eight hours, by signing out, and with a new password", async () => {
    const user = world.newBrowser();
    const silent = world.authorizeUrl({ prompt: "none" });
    const isIn = async () => sentTo(await user.get(silent)).fields["error"] === undefined;
    await user.get("/login");
    await user.signIn(world.credentials);
    assert.equal(await isIn(), true);
    world.clock.now += 8 * 3_600_000;
    assert.equal(await isIn(), false);

    await user.get("/login");
    await user.signIn(world.credentials);
    const kept = String(user.cookies.get("atoll_session"));
    assert.equal((await user.submit({ form_token: "x" }, "/logout")).statusCode, 403);
    await user.get("/logout");
    assert.equal((await user.submit({})).statusCode, 200);
    user.cookies.set("atoll_session", kept);
    assert.equal(await isIn(), false);

    await user.get("/login");
    await user.signIn(world.credentials);
    const password = "another password";
    const [admin] = world.service.bootstrapOwners;
    await world.admin("PATCH", `principals/${admin?.id ?? ""}`, { password });
    assert.equal(await isIn(), false);
    await user.get("/login");
    await user.signIn({ username: "ADMIN", password });
    assert.equal(await isIn(), true);
  });
});
