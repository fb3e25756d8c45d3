import assert from "node:assert/strict";
import { before, suite, test } from "node:test";
import { Settings, variableOf } from "#platform/config/settings.ts";
import { variablesOf } from "../src/cli/env.ts";
import { createProgram } from "../src/cli/program.ts";
import { exampleEndpoints, recordingTerminal } from "./support/cli.ts";
import { deadLinks, unknownNames } from "./support/tidy/documentation.ts";
import { wrongImports } from "./support/tidy/imports.ts";
import { projectFiles, type ProjectFile } from "./support/tidy/project.ts";
import { missingFiles } from "./support/tidy/structure.ts";
import { leftBehind, tooLong } from "./support/tidy/text.ts";

suite("the project is tidy", () => {
  let files: readonly ProjectFile[] = [];
  before(async () => {
    files = await projectFiles();
  });

  test("each service, engine and part of the platform has what belongs to it", () => {
    assert.deepEqual(missingFiles(files.map(({ path }) => path)), []);
  });

  test("files and lines stay below the ceilings", () => {
    assert.deepEqual(files.flatMap(tooLong), []);
  });

  test("imports go down the house, and never from service to service", () => {
    assert.deepEqual(files.flatMap(wrongImports), []);
  });

  test("nothing is left behind", () => {
    assert.deepEqual(files.flatMap(leftBehind), []);
  });

  test("the documentation names only what exists", () => {
    const paths = files.map(({ path }) => path);
    const names = knownNames();
    assert.deepEqual(
      files.flatMap((file) => unknownNames(file, names)),
      [],
    );
    assert.deepEqual(
      files.flatMap((file) => deadLinks(file, paths)),
      [],
    );
  });
});

/** Each check is shown something that breaks its rule: one that cannot fail checks nothing. */
suite("the checks themselves", () => {
  test("miss the files of a service, an engine and a part of the platform", () => {
    const paths = [
      "src/services/books/index.ts",
      "src/engines/press/press.ts",
      "src/platform/a.ts",
    ];
    assert.deepEqual(missingFiles([...paths, "src/platform/ink/ink.ts"]), [
      "src/services/books/routes.ts",
      "src/services/books/schema.ts",
      "src/services/books/store.ts",
      "src/services/books/README.md",
      "docs/reference/books.md",
      "src/cli/tour/books.ts",
      "test/sdk/books.test.ts",
      "src/engines/press/README.md",
      "src/platform/ink/README.md",
      "src/services/books/*.test.ts",
    ]);
  });

  test("find a long file and a long line, in sources only", () => {
    const text = `${"x".repeat(101)}\n${"\n".repeat(300)}`;
    assert.deepEqual(tooLong({ path: "src/long.ts", text }), [
      "src/long.ts has 301 lines",
      "src/long.ts:1 has 101 columns",
    ]);
    assert.deepEqual(
      tooLong({ path: "src/fits.ts", text: `${"x".repeat(100)}\n`.repeat(300) }),
      [],
    );
    assert.deepEqual(tooLong({ path: "docs/long.md", text }), []);
  });

  test("find imports that go up or across, however they are written", () => {
    const wrong = (path: string, specifier: string) =>
      wrongImports({ path, text: `import { a } from "${specifier}";` }).length > 0;
    assert.ok(wrong("src/platform/a.ts", "#engines/b.ts"));
    assert.ok(wrong("src/platform/a/b.ts", "../../main.ts"));
    assert.ok(wrong("src/engines/a/b.ts", "../../services/c/index.ts"));
    assert.ok(wrong("src/services/a/index.ts", "#services/b/index.ts"));
    assert.ok(wrong("src/services/a/deep/one.ts", "../../b/index.ts"));
    assert.ok(wrong("src/services/a/index.ts", "../../cli/env.ts"));
    assert.ok(wrong("src/cli/a.ts", "../../test/support/b.ts"));
    const text = 'const b = await import("#services/b/index.ts");';
    assert.equal(wrongImports({ path: "src/engines/a.ts", text }).length, 1);

    assert.ok(!wrong("src/main.ts", "#services/a/index.ts"));
    assert.ok(!wrong("src/cli/up.ts", "../main.ts"));
    assert.ok(!wrong("src/services/a/b/c.ts", "../store.ts"));
    assert.ok(!wrong("src/platform/a.test.ts", "../../test/support/b.ts"));
    assert.ok(!wrong("test/a.test.ts", "../src/main.ts"));
    assert.ok(!wrong("src/platform/a.ts", "fastify"));
  });

  test("find words that must not be left behind", () => {
    const found = (path: string, text: string) => leftBehind({ path, text });
    const word = ["TO", "DO"].join("");
    assert.deepEqual(found("src/a.ts", `\n// ${word}: later`), ["src/a.ts:2 is left to do"]);
    const unnamed = ["export", "default", "1;"].join(" ");
    assert.deepEqual(found("src/a.ts", unnamed), ["src/a.ts:1 exports without a name"]);
    const only = ["test", "only("].join(".");
    assert.deepEqual(found("src/a.test.ts", `${only}"x")`), ["src/a.test.ts:1 leaves tests out"]);
    const option = ["test('x', { sk", "ip: true })"].join("");
    assert.deepEqual(found("src/a.test.ts", option), ["src/a.test.ts:1 leaves tests out"]);
    const registry = ["https://registry.npm", "js.org/x"].join("");
    assert.deepEqual(found("a.json", registry), ["a.json:1 names a package registry"]);
    const outside = ["see ../sha", "red/x"].join("");
    assert.deepEqual(found("docs/a.md", outside), ["docs/a.md:1 points out of the project"]);
    assert.deepEqual(found("src/a.ts", "const fine = 1;\n"), []);
  });

  test("find names and links in the documentation that lead nowhere", () => {
    const text = "Set ATOLL_PROT, run npx atoll upp, read [this](../gone.md) and [that](b.md).";
    const file = { path: "docs/how-to/a.md", text };
    assert.deepEqual(unknownNames(file, knownNames()), [
      "docs/how-to/a.md names ATOLL_PROT",
      "docs/how-to/a.md names npx atoll upp",
    ]);
    const links = deadLinks(file, ["docs/how-to/a.md", "docs/how-to/b.md"]);
    assert.deepEqual(links, ["docs/how-to/a.md links to ../gone.md"]);
  });
});

function knownNames() {
  const settings = Object.keys(Settings.properties).map(variableOf);
  const endpoints = [...variablesOf(exampleEndpoints()).keys()];
  const program = createProgram(recordingTerminal().terminal);
  const commands = program.commands.map((command) => command.name());
  return {
    variables: new Set([...settings, ...endpoints, "ATOLL_DEBUG", "ATOLL_CA_FILE"]),
    commands: new Set([...commands, "help"]),
  };
}
