import assert from "node:assert/strict";
import { mkdtemp, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { API_A, identity } from "./identity.fixture.ts";

suite("starting identity again", () => {
  test("keeps the tenant, the keys, the principals and the development credentials", async () => {
    const serviceDir = await mkdtemp(join(tmpdir(), "atoll-identity-"));
    const location = { kind: "sqlite", file: join(serviceDir, "identity.sqlite") } as const;
    const first = await identity({ serviceDir, location });
    const { tenantId, development, bootstrapOwners } = first.service;
    const token = await first.clientToken(API_A);
    const file = join(serviceDir, "development.json");
    assert.deepEqual(JSON.parse(await readFile(file, "utf8")), development);
    assert.equal((await stat(file)).mode % 0o1000, 0o600);
    await first.service.stop();

    const second = await identity({ serviceDir, location });
    assert.equal(second.service.tenantId, tenantId);
    assert.deepEqual(second.service.development, development);
    assert.deepEqual(second.service.bootstrapOwners, bootstrapOwners);
    assert.equal((await second.service.verifyToken(token, [API_A])).kind, "ServicePrincipal");
    const database = await readFile(location.file, "latin1");
    const secrets = [development.admin.password, development.client.client_secret];
    for (const secret of [...secrets, development.inference_api_key]) {
      assert.ok(!database.includes(secret));
    }
    await second.stop();
  });

  test("makes new development credentials when the file is lost", async () => {
    const serviceDir = await mkdtemp(join(tmpdir(), "atoll-identity-"));
    const other = await mkdtemp(join(tmpdir(), "atoll-identity-"));
    const location = { kind: "sqlite", file: join(serviceDir, "identity.sqlite") } as const;
    const first = await identity({ serviceDir, location });
    const { client, admin } = first.service.development;
    await first.service.stop();
    const { openSealer } = await import("#platform/seal.ts");
    const second = await identity({
      serviceDir: other,
      location,
      sealer: await openSealer(serviceDir),
    });
    assert.equal(second.service.development.client.client_id, client.client_id);
    assert.notEqual(second.service.development.client.client_secret, client.client_secret);
    assert.notEqual(second.service.development.admin.password, admin.password);
    await second.clientToken();
    await second.stop();
    await first.stop();
  });

  test("is starting until there is a key, and answers as soon as there is one", async () => {
    const world = await identity();
    const token = await world.clientToken();
    assert.ok(token.length > 0);
    assert.deepEqual(await world.service.health(), { status: "ok" });
    const described = world.service.openapi() as { paths: Record<string, unknown> };
    assert.ok("/admin/principals/{id}" in described.paths);
    await world.stop();
  });
});
