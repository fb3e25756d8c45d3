import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { allowedHosts } from "./allowed-hosts.ts";

function allowed(entries: string[], urls: string[]): boolean[] {
  const isAllowed = allowedHosts(entries);
  return urls.map((url) => isAllowed(new URL(url)));
}

suite("allowed hosts", () => {
  test("are exact names, in any case and with a final dot", () => {
    const urls = ["http://a.test", "https://A.test.:8443/x", "http://b.a.test", "http://aa.test"];
    assert.deepEqual(allowed(["A.test"], urls), [true, true, false, false]);
    assert.deepEqual(allowed([], urls), [false, false, false, false]);
  });

  test("are all names below a suffix, and neither the suffix itself nor an address", () => {
    const urls = ["http://b.a.test", "http://c.b.a.test", "http://a.test", "http://xa.test"];
    assert.deepEqual(allowed([".a.test"], urls), [true, true, false, false]);
    assert.deepEqual(allowed([".0.1"], ["http://127.0.0.1"]), [false]);
  });

  test("are for one port, when it is given", () => {
    const urls = ["http://a.test", "http://a.test:80", "https://a.test", "http://a.test:81"];
    assert.deepEqual(allowed(["a.test:80"], urls), [true, true, false, false]);
    assert.deepEqual(allowed(["a.test:443"], urls), [false, false, true, false]);
  });

  test("are addresses in any spelling", () => {
    assert.deepEqual(allowed(["10.0.0.7"], ["http://10.0.0.7", "http://0xa000007"]), [true, true]);
    assert.deepEqual(allowed(["fd00::1"], ["http://[fd00:0::1]:8080"]), [true]);
    assert.deepEqual(allowed(["[fd00::1]:80"], ["http://[fd00::1]"]), [true]);
  });

  test("refuses an entry that is none, by name", () => {
    for (const entry of ["", "http://a.test", "a.test:99999", "a.test/x", "user@a.test", "a b"]) {
      assert.throws(() => allowedHosts([entry]), { name: "TypeError", message: /no allowed host/ });
    }
  });
});
