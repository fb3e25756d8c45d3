import assert from "node:assert/strict";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { suite, test } from "node:test";
import { removeEndpoints, writeEndpoints, Endpoints } from "#platform/house/endpoints.ts";
import { deadPid, exampleEndpoints } from "../../test/support/cli.ts";
import { dataFolder, findInstance, isEndpoints, readInstance } from "./instance.ts";

suite("the instance of a data folder", () => {
  test("is running, then stopped, as the server's own files tell", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-instance-"));
    const endpoints = exampleEndpoints();
    assert.equal(await findInstance(folder.path), undefined);
    await writeEndpoints(folder.path, endpoints);
    assert.deepEqual(await findInstance(folder.path), { state: "running", endpoints });
    await removeEndpoints(folder.path);
    assert.deepEqual(await findInstance(folder.path), { state: "stopped", endpoints });
  });

  test("is stale when its process is gone", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-instance-"));
    const endpoints = exampleEndpoints({ pid: await deadPid() });
    await writeEndpoints(folder.path, endpoints);
    assert.deepEqual(await findInstance(folder.path), { state: "stale", endpoints });
  });

  test("needs a file that this version has written", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-instance-"));
    await assert.rejects(readInstance(folder.path), /No Atoll has run with/);
    for (const content of ["", "{", "[]", '{"version":1}', '{"version":2,"pid":1}']) {
      await writeFile(join(folder.path, "endpoints.json"), content);
      await assert.rejects(readInstance(folder.path), /not what this version of Atoll writes/);
    }
  });

  test("is checked for every text that the server promises", () => {
    const { ca_file: _optional, ...promised } = Endpoints.properties;
    for (const name of Object.keys(promised)) {
      assert.ok(!isEndpoints({ ...exampleEndpoints(), [name]: undefined }), name);
    }
    for (const name of Object.keys(Endpoints.properties.credentials.properties)) {
      const { credentials, ...rest } = exampleEndpoints();
      assert.ok(!isEndpoints({ ...rest, credentials: { ...credentials, [name]: null } }), name);
    }
    assert.ok(isEndpoints(exampleEndpoints()));
  });
});

suite("the data folder", () => {
  test("is the one that was named, then ATOLL_DATA, then .atoll", async () => {
    const variables = { ATOLL_DATA: "/b" };
    assert.equal(await dataFolder("/a", variables), resolve("/a"));
    assert.equal(await dataFolder(undefined, variables), resolve("/b"));
    assert.equal(await dataFolder(undefined, {}), resolve(".atoll"));
  });
});
