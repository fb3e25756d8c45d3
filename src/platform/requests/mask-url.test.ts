import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { maskUrl } from "./mask-url.ts";

suite("a request's URL, as it is shown", () => {
  test("hides what signs or authenticates, and nothing else", () => {
    assert.equal(
      maskUrl("/a/b?sv=2022-11-02&SIG=abc%3D&sp=r&code=1&x=code#access_token=t"),
      "/a/b?sv=2022-11-02&SIG=***&sp=r&code=***&x=code#access_token=***",
    );
    assert.equal(maskUrl("/device?user_code=ABCD"), "/device?user_code=***");
    assert.equal(maskUrl("/login?return_to=%2Fcommon&x=1"), "/login?return_to=***&x=1");
    assert.equal(maskUrl("/a?%73ig=abc&%zz=1"), "/a?%73ig=***&%zz=1");
    assert.equal(maskUrl("/logout?id_token_hint=ey.J.x"), "/logout?id_token_hint=***");
    assert.equal(maskUrl("/plain"), "/plain");
  });
});
