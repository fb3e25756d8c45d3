import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { dataFolderWith, deadPid, exampleEndpoints, runCli } from "../../test/support/cli.ts";
import { startLoopback } from "../../test/support/loopback.ts";

const well = { status: "ok", version: "1.2.3", services: { storage: { status: "ok" } } };

suite("atoll status", () => {
  test("shows a line per service", async () => {
    await using gateway = await startLoopback(() => ({ status: 200, body: well }));
    await using folder = await dataFolderWith(exampleEndpoints({ gateway: gateway.url }));
    const { code, out, err } = await runCli(["status", "--data", folder.path]);
    assert.deepEqual([code, err], [0, ""]);
    assert.equal(
      out,
      "SERVICE  STATE  DETAIL\nstorage  ok\n" +
        `Atoll 1.2.3, process ${process.pid}, ${gateway.url}, data in ${folder.path}`,
    );
    assert.deepEqual(
      gateway.received.map(({ line }) => line),
      ["GET /health"],
    );
  });

  test("fails when a service has failed, and names it", async () => {
    const services = { storage: { status: "failed", detail: "The disk is full." } };
    const body = { ...well, status: "failed", services };
    await using gateway = await startLoopback(() => ({ status: 503, body }));
    await using folder = await dataFolderWith(exampleEndpoints({ gateway: gateway.url }));
    const { code, out, err } = await runCli(["status", "-o", "json", "--data", folder.path]);
    assert.equal(code, 1);
    assert.deepEqual(JSON.parse(out), {
      pid: process.pid,
      data: folder.path,
      gateway: gateway.url,
      state: "failed",
      version: "1.2.3",
      services,
    });
    assert.match(err, /Not every service is well: storage\./);
  });

  test("tells a clean stop from a process that was killed", async () => {
    await using stopped = await dataFolderWith(exampleEndpoints(), "last-endpoints.json");
    const clean = await runCli(["status", "--data", stopped.path]);
    assert.equal(clean.code, 1);
    assert.match(
      clean.err,
      /^Error: Atoll is not running with the data folder .*npx atoll up\.\n$/,
    );

    const pid = await deadPid();
    await using left = await dataFolderWith(exampleEndpoints({ pid }));
    const killed = await runCli(["status", "--data", left.path]);
    assert.equal(killed.code, 1);
    assert.match(killed.err, new RegExp(`process ${pid} ended without a clean stop`));
  });

  test("does not take another process with the same number for Atoll", async () => {
    const gone = await startLoopback(() => ({ status: 200 }));
    await gone[Symbol.asyncDispose]();
    await using folder = await dataFolderWith(exampleEndpoints({ gateway: gone.url }));
    const { code, err } = await runCli(["status", "--data", folder.path]);
    assert.equal(code, 1);
    assert.match(err, /lives, but .* does not answer \(ECONNREFUSED\)/);
  });
});

suite("atoll wait", () => {
  test("returns once the gateway says that it is ready", async () => {
    let count = 0;
    await using gateway = await startLoopback(() => {
      count += 1;
      return { status: count < 3 ? 503 : 200, body: {} };
    });
    await using folder = await dataFolderWith(exampleEndpoints({ gateway: gateway.url }));
    const { code, out } = await runCli(["wait", "--data", folder.path]);
    assert.deepEqual([code, out, count], [0, `ready: ${gateway.url}`, 3]);
  });

  test("gives up after the time that it was given", async () => {
    await using folder = await dataFolderWith(exampleEndpoints({ pid: await deadPid() }));
    const { code, err } = await runCli(["wait", "--timeout", "0", "--data", folder.path]);
    assert.equal(code, 1);
    assert.match(err, /was not ready within 0 s/);
    const wrong = await runCli(["wait", "--timeout", "soon"]);
    assert.match(wrong.err, /'soon' is invalid\. It must be a number from 0 to 86400\./);
  });
});
