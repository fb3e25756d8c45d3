import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { describeStorage } from "./openapi.ts";
import { startStorage } from "./storage.fixture.ts";

suite("the description of the storage service", () => {
  test("names blob operations, those that are missing, and what is managed", async () => {
    const blobs = describeStorage({});
    const operations = "paths" in blobs ? Object.keys(blobs.paths ?? {}) : [];
    assert.ok(operations.includes("/{account}/{container}/{blob}?comp=appendblock"));
    assert.ok(operations.includes("/{account}/{container}/{blob}?comp=query"));
    const storage = await startStorage();
    const document = storage.openapi();
    await storage.stop();
    const paths = "paths" in document ? Object.keys(document.paths ?? {}) : [];
    const account =
      "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}" +
      "/providers/Svc.Storage/storageAccounts/{accountName}";
    for (const path of ["", "/listKeys", "/encryptionScopes", "/encryptionScopes/{scopeName}"]) {
      assert.ok(paths.includes(account + path), path);
    }
    assert.deepEqual(
      operations.filter((path) => !paths.includes(path)),
      [],
    );
  });
});
