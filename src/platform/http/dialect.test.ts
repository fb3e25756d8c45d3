import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Problem } from "../problem.ts";
import { dialectOf, headerIn, nameIn, nativeHeaders, nativeName, nativeUrl } from "./dialect.ts";
import { dialectOfPath } from "./dialect.ts";

function routed(url: string): string {
  return nativeUrl({ url } as Parameters<typeof nativeUrl>[0]);
}

suite("dialects", () => {
  test("tells the dialect by the prefix of the headers", () => {
    assert.equal(dialectOf({ "x-svc-version": "2022-11-02" }), "native");
    assert.equal(dialectOf({ "x-ms-version": "2022-11-02" }), "public");
    assert.equal(dialectOf({ accept: "*/*" }), undefined);
  });

  test("refuses a request that mixes the two, and names the header", () => {
    const mixed = { "x-ms-version": "2022-11-02", "x-svc-lease-id": "a" };
    assert.throws(
      () => dialectOf(mixed),
      (error) => {
        assert.ok(error instanceof Problem);
        assert.deepEqual(
          [error.statusCode, error.code, error.detail.fields],
          [400, "InvalidHeaderValue", { HeaderName: "x-svc-lease-id", HeaderValue: "a" }],
        );
        return true;
      },
    );
  });

  test("gives headers their native names, metadata included", () => {
    const headers = { "x-ms-meta-owner": "me", "x-ms-date": "now", accept: "*/*" };
    nativeHeaders(headers);
    assert.deepEqual(headers, { "x-svc-meta-owner": "me", "x-svc-date": "now", accept: "*/*" });
  });

  test("answers under the names of the request's dialect", () => {
    assert.equal(headerIn("public", "x-svc-request-id"), "x-ms-request-id");
    assert.equal(headerIn("public", "Svc-AsyncOperation"), "azure-asyncoperation");
    assert.equal(headerIn("public", "etag"), "etag");
    assert.equal(headerIn("native", "x-svc-request-id"), "x-svc-request-id");
  });

  test("knows provider namespaces in operations, without regard to case", () => {
    const operation = "Microsoft.DBforPostgreSQL/flexibleServers/write";
    assert.equal(nativeName(operation), "Svc.Postgres/flexibleServers/write");
    assert.equal(nameIn("public", nativeName(operation)), operation);
    assert.equal(nativeName("microsoft.storage/*"), "Svc.Storage/*");
    assert.equal(nativeName("Microsoft.Unknown/x"), "Microsoft.Unknown/x");
    assert.equal(nativeName("Microsoft.StorageSync/x"), "Microsoft.StorageSync/x");
    const group = "/subscriptions/s/resourceGroups/Microsoft.Storage/providers";
    assert.equal(
      nativeName(`${group}/Microsoft.Storage/accounts/a/providers/Microsoft.Authorization/x`),
      `${group}/Svc.Storage/accounts/a/providers/Svc.Authorization/x`,
    );
  });

  test("routes the public paths of deployments and providers", () => {
    const chat = "/deployments/chat/completions?api-version=2024-10-21";
    assert.equal(routed(`/openai${chat}`), `/svc${chat}`);
    const server = "/subscriptions/s/resourceGroups/g/providers";
    assert.equal(
      routed(
        `${server}/Microsoft.DBforPostgreSQL/flexibleServers/pg?x=/providers/Microsoft.Storage`,
      ),
      `${server}/Svc.Postgres/flexibleServers/pg?x=/providers/Microsoft.Storage`,
    );
    assert.equal(dialectOfPath(`/openai${chat}`), "public");
    assert.equal(dialectOfPath(`${server}/Microsoft.Storage/x`), "public");
    assert.equal(dialectOfPath(`${server}/Svc.Storage/x?y=/providers/Microsoft.Storage`), "native");
  });

  test("turns the scope before a role assignment into one segment", () => {
    const id = "Svc.Authorization/roleAssignments/7?api-version=1";
    const scope = "/subscriptions/s/resourceGroups/g%20h";
    const encoded = "%2Fsubscriptions%2Fs%2FresourceGroups%2Fg%20h";
    assert.equal(routed(`${scope}/providers/${id}`), `/scoped/${encoded}/${id}`);
    assert.equal(routed(`/${scope}/providers/${id}`), `/scoped/${encoded}/${id}`);
    assert.equal(routed(`/providers/Microsoft.Authorization/x`), "/scoped/%2F/Svc.Authorization/x");
    const nested = "/subscriptions/s/providers/Microsoft.Storage/storageAccounts/a";
    assert.equal(
      routed(`${nested}/providers/Microsoft.Authorization/roleAssignments`),
      `/scoped/${encodeURIComponent(nested)}/Svc.Authorization/roleAssignments`,
    );
  });
});
