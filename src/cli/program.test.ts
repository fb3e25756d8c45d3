import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Command } from "commander";
import { recordingTerminal, runCli } from "../../test/support/cli.ts";
import { createProgram } from "./program.ts";

suite("the command line", () => {
  test("says in one sentence what it does not understand, and what to do", async () => {
    const hint = (command: string) => `npx ${command} --help shows what there is.\n`;
    const cases: [string[], string][] = [
      [["statsu"], `Error: Unknown command 'statsu'. Did you mean status? ${hint("atoll")}`],
      [
        ["env", "--formt", "x"],
        `Error: Unknown option '--formt'. Did you mean --format? ${hint("atoll env")}`,
      ],
      [["principals", "fo"], `Error: Unknown command 'fo'. ${hint("atoll principals")}`],
      [
        ["principals", "show"],
        `Error: Missing required argument 'principal'. ${hint("atoll principals show")}`,
      ],
    ];
    for (const [argv, err] of cases) {
      assert.deepEqual(await runCli(argv), { code: 1, out: "", err });
    }
  });

  test("puts an error into JSON for who asked for JSON", async () => {
    for (const asked of [["-o", "json"], ["-ojson"], ["--output=json"], ["--output", "json"]]) {
      const { code, err } = await runCli(["status", "--nothing", ...asked]);
      assert.equal(code, 1);
      assert.deepEqual(JSON.parse(err), {
        error: {
          message: "Unknown option '--nothing'.",
          hint: "npx atoll status --help shows what there is.",
        },
      });
    }
  });

  test("shows a stack to who debugs, and to nobody else", async () => {
    const plain = await runCli(["nothing"]);
    assert.doesNotMatch(plain.err, /\n\s+at /);
    const debugged = await runCli(["nothing"], { variables: { ATOLL_DEBUG: "1" } });
    assert.match(debugged.err, /\n\s+at /);
  });

  test("has examples in the help of every command", () => {
    const bare = everyCommand(createProgram(recordingTerminal().terminal))
      .filter((command) => command.name() !== "help")
      .filter((command) => !helpOf(command).includes("\nExamples:\n  $ "));
    assert.deepEqual(
      bare.map((command) => command.name()),
      [],
    );
  });

  test("answers --version with the version alone", async () => {
    const { code, out } = await runCli(["--version"]);
    assert.equal(code, 0);
    assert.match(out, /^\d+\.\d+\.\d+$/);
  });
});

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** With what `addHelpText` appends, which `helpInformation` leaves out. */
function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}
