import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempDisposable, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { Endpoints } from "#platform/house/endpoints.ts";
import { atoll, startAtoll } from "./support/atoll.ts";

const folderName = join(tmpdir(), "atoll-e2e-");
const OWNER_ONLY = 0o600;

suite("a first hour with the command line", () => {
  test("up, wait, env, status, token, principals, tour, and a clean stop", async () => {
    await using folder = await mkdtempDisposable(folderName);
    const data = ["--data", folder.path];
    await using running = await startAtoll(folder.path);
    assert.match(
      running.output(),
      /\nready in [\d.]+ s: identity, authorization, storage, query, tables\n$/,
    );
    const { mode } = await stat(join(folder.path, "endpoints.json"));
    assert.equal(mode & 0o777, OWNER_ONLY);

    const waited = await atoll(["wait", ...data]);
    assert.equal(waited.code, 0, waited.err);
    const { out } = await atoll(["env", "--format", "json", ...data]);
    const endpoints = JSON.parse(out) as Endpoints;
    assert.equal(endpoints.pid, running.process.pid);

    const { out: script } = await atoll(["env", ...data]);
    const command = `${script}\nprintf %s "$ATOLL_CLIENT_SECRET"`;
    const secret = execFileSync("sh", ["-c", command], { encoding: "utf8" });
    assert.equal(secret, endpoints.credentials.client.client_secret);

    const status = await atoll(["status", "-o", "json", ...data]);
    assert.equal(status.code, 0, status.err);
    assert.deepEqual(Object.keys(JSON.parse(status.out).services), [
      "identity",
      "authorization",
      "storage",
      "query",
      "tables",
    ]);

    const { out: token } = await atoll(["token", ...data]);
    const headers = { authorization: `Bearer ${token.trim()}` };
    const answer = await fetch(`${endpoints.gateway}/admin/principals`, { headers });
    assert.equal(answer.status, 200);

    await principalsJourney(data);
    await tourTwice(data, endpoints);
    assert.equal(await running.stop("SIGTERM"), 0);
    await assert.rejects(stat(join(folder.path, "endpoints.json")), { code: "ENOENT" });
    const stopped = await atoll(["status", ...data]);
    assert.equal(stopped.code, 1);
    assert.match(stopped.err, /^Error: Atoll is not running .*Start it with npx atoll up\.\n$/);
  });

  test("what was acknowledged survives kill -9, and Atoll starts again", async () => {
    await using folder = await mkdtempDisposable(folderName);
    const data = ["--data", folder.path];
    {
      await using running = await startAtoll(folder.path);
      const { code, err } = await atoll(["principals", "add", "group", "readers", ...data]);
      assert.equal(code, 0, err);
      await running.stop("SIGKILL");
    }
    const stale = await atoll(["status", ...data]);
    assert.equal(stale.code, 1);
    assert.match(stale.err, /ended without a clean stop/);

    await using again = await startAtoll(folder.path);
    const { out } = await atoll(["principals", "show", "readers", "-o", "json", ...data]);
    assert.equal(JSON.parse(out).name, "readers");
    assert.equal(await again.stop("SIGINT"), 0);
  });

  test("over TLS, with the certificate of its own authority", async () => {
    await using folder = await mkdtempDisposable(folderName);
    const data = ["--data", folder.path];
    await using running = await startAtoll(folder.path, ["--tls"]);
    const status = await atoll(["status", ...data]);
    assert.equal(status.code, 0, status.err);
    assert.match(status.out, /https:\/\/127\.0\.0\.1/);
    const { code, err } = await atoll(["tour", "--yes", ...data]);
    assert.equal(code, 0, err);
    assert.equal(await running.stop("SIGTERM"), 0);
  });
});

suite("what keeps Atoll from starting", () => {
  test("is said in one sentence that ends in what to do", async () => {
    await using folder = await mkdtempDisposable(folderName);
    await using other = await mkdtempDisposable(folderName);
    await using running = await startAtoll(folder.path);

    const locked = await atoll(["up", "--data", folder.path, "--port", "0"]);
    assert.deepEqual([locked.code, locked.out], [1, ""]);
    assert.match(locked.err, new RegExp(`in use by process ${running.process.pid}`));

    const { out } = await atoll(["env", "--format", "json", "--data", folder.path]);
    const { port } = new URL((JSON.parse(out) as Endpoints).gateway);
    const taken = await atoll(["up", "--data", other.path, "--port", port]);
    assert.deepEqual([taken.code, taken.out], [1, ""]);
    assert.match(taken.err, new RegExp(`^Error: Port ${port} on 127\\.0\\.0\\.1 is taken.*--port`));

    const file = join(other.path, "broken.yaml");
    await writeFile(file, "port: [");
    const broken = await atoll(["up", "--config", file]);
    assert.deepEqual([broken.code, broken.out], [1, ""]);
    assert.match(broken.err, /^Error: .*broken\.yaml is not YAML/);
    const wrong = await atoll(["up", "--port", "many"]);
    assert.match(wrong.err, /^Error: --port is "many", but port must be integer/);
    const nobody = await atoll(["up", "--only", "books", "--data", other.path]);
    assert.match(nobody.err, /^Error: There is no service "books" for --only/);
    for (const { err } of [locked, taken, broken, wrong, nobody]) {
      assert.doesNotMatch(err, /\n\s+at /);
    }
  });
});

async function principalsJourney(data: readonly string[]): Promise<void> {
  const principals = async (argv: readonly string[], input = "") => {
    const { code, out, err } = await atoll(["principals", ...argv, "-o", "json", ...data], {
      input,
    });
    assert.equal(code, 0, err);
    return JSON.parse(out) as Record<string, unknown>;
  };
  const jane = await principals(["add", "user", "jane", "--password-stdin"], "correct horse 7!\n");
  const group = await principals(["add", "group", "readers"]);
  await principals(["members", "add", "readers", "jane"]);
  assert.deepEqual((await principals(["show", "readers"]))["members"], [jane["id"]]);
  const { out } = await atoll(["token", "--principal", "jane", ...data]);
  const [, payload = ""] = out.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
  assert.equal("oid" in claims && claims.oid, jane["id"]);

  const program = await principals(["add", "service-principal", "ci"]);
  assert.equal(typeof program["secret"], "string");
  const second = await principals(["secrets", "add", "ci"]);
  await principals(["secrets", "remove", "ci", String(second["id"])]);
  const key = await principals(["api-keys", "add", "ci"]);
  assert.equal(typeof key["key"], "string");
  await principals(["update", "jane", "--disable"]);
  const refused = await atoll(["token", "--principal", "jane", ...data]);
  assert.equal(refused.code, 1);
  for (const name of ["jane", "ci", String(group["id"])]) await principals(["remove", name]);
}

/** It can be taken again, shows no secret, and leaves nothing behind. */
async function tourTwice(data: readonly string[], { credentials }: Endpoints): Promise<void> {
  const names = async () => (await atoll(["principals", "list", ...data])).out;
  const before = await names();
  const first = await atoll(["tour", ...data]);
  assert.equal(first.code, 0, first.out + first.err);
  assert.ok(!first.out.includes(credentials.client.client_secret));
  assert.doesNotMatch(first.out, /eyJ[\w-]{20}/);
  assert.match(first.out, /hello from the first blob/);
  const second = await atoll(["tour", "-o", "json", ...data]);
  assert.equal(second.code, 0, second.err);
  const steps = JSON.parse(second.out) as { status: number }[];
  assert.ok(steps.length > 15);
  assert.equal(await names(), before);
}
