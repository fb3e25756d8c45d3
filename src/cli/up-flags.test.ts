import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Settings } from "#platform/config/settings.ts";
import { runCli } from "../../test/support/cli.ts";
import { UP_FLAGS } from "./up-flags.ts";

suite("the flags of up", () => {
  test("are the settings, with their descriptions and defaults", () => {
    const settings = Object.entries(Settings.properties).map(([name, schema]) => ({
      name,
      description: "description" in schema ? schema.description : "",
      default: "default" in schema ? String(schema.default) : "",
      isSwitch: "type" in schema && schema.type === "boolean",
    }));
    const flags = UP_FLAGS.map(({ name, description, takes, default: value }) => ({
      name,
      description,
      default: value,
      isSwitch: takes === undefined,
    }));
    assert.deepEqual(flags, settings);
  });

  test("are all in the help", async () => {
    const { code, out } = await runCli(["up", "--help"]);
    assert.equal(code, 0);
    const missing = UP_FLAGS.filter(({ name }) => !out.includes(`--${name.replaceAll("_", "-")}`));
    assert.deepEqual(missing, []);
  });
});
