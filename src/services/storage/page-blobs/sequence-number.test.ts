import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { send, startStorage, type TestStorage } from "../storage.fixture.ts";
import { createPageBlob, pagesOf, writePages } from "./page-blobs.fixture.ts";

const NUMBER = "x-svc-blob-sequence-number";
const NUMBER_MAX = "9223372036854775807";

suite("the sequence number of a page blob", () => {
  let storage: TestStorage;

  before(async () => {
    storage = await startStorage();
    await createPageBlob(storage, "disks/a", 2);
  });
  after(() => storage.stop());

  async function act(action: string, number?: string): Promise<string> {
    const { status, code, headers } = await send(storage, "disks/a?comp=properties", {
      headers: {
        "x-svc-sequence-number-action": action,
        ...(number !== undefined && { [NUMBER]: number }),
      },
    });
    return status === 200 ? String(headers[NUMBER]) : `${status} ${code}`;
  }

  test("is set, raised and counted", async () => {
    const answers = [
      await act("update", "7"),
      await act("max", "5"),
      await act("max", "9"),
      await act("increment"),
      await act("update", "3"),
    ];
    assert.deepEqual(answers, ["7", "7", "9", "10", "3"]);
  });

  test("is not counted beyond 64 bits, nor changed by half a request", async () => {
    await act("update", NUMBER_MAX);
    const { status, code } = await send(storage, "disks/a?comp=properties", {
      headers: { [NUMBER]: "1" },
    });
    const answers = [
      await act("increment"),
      await act("increment", "1"),
      await act("max"),
      await act("less", "1"),
      await act("update", "9223372036854775808"),
      await act("update", "-1"),
      `${status} ${code}`,
      await act("max", "0"),
    ];
    assert.deepEqual(answers, [
      "409 SequenceNumberIncrementTooLarge",
      "400 InvalidHeaderValue",
      "400 MissingRequiredHeader",
      "400 InvalidHeaderValue",
      "400 InvalidHeaderValue",
      "400 InvalidHeaderValue",
      "400 MissingRequiredHeader",
      NUMBER_MAX,
    ]);
  });

  test("is a condition of writes", async () => {
    await act("update", "5");
    const write = async (condition: string, number: number) => {
      const header = `x-svc-if-sequence-number-${condition}`;
      const { status, code } = await writePages(storage, "disks/a", 0, {
        text: "w",
        [header]: number,
      });
      return `${condition} ${number}: ${status} ${code}`;
    };
    const cases = [
      ["le", 4],
      ["le", 5],
      ["lt", 5],
      ["lt", 6],
      ["eq", 4],
      ["eq", 5],
    ] as const;
    const answers = [];
    for (const [condition, number] of cases) answers.push(await write(condition, number));
    assert.deepEqual(answers, [
      "le 4: 412 SequenceNumberConditionNotMet",
      "le 5: 201 ",
      "lt 5: 412 SequenceNumberConditionNotMet",
      "lt 6: 201 ",
      "eq 4: 412 SequenceNumberConditionNotMet",
      "eq 5: 201 ",
    ]);
    assert.equal(await pagesOf(storage, "disks/a"), "w.");
  });

  test("is copied with the blob", async () => {
    const source = "http://127.0.0.1:10000/testaccount1/disks/a";
    const headers = { "x-svc-copy-source": source };
    assert.equal((await send(storage, "disks/copy", { headers })).status, 202);
    const got = await send(storage, "disks/copy", { method: "HEAD" });
    assert.equal(got.headers[NUMBER], "5");
    assert.equal(await pagesOf(storage, "disks/copy"), "w.");
  });
});
