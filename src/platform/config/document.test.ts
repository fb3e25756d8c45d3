import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { suite, test } from "node:test";
import { configurationPage } from "./document.ts";

const page = new URL("../../../docs/reference/configuration.md", import.meta.url);

suite("the page on configuration", () => {
  test("says what the settings say", async () => {
    const written = await readFile(page, "utf8");
    assert.equal(written, configurationPage(), "Run: node src/platform/config/write-page.ts");
  });
});
