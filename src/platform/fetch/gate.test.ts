import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createGate } from "./gate.ts";

suite("the gate of outbound fetches", () => {
  test("lets a full host wait and others pass, in the order in which they came", async () => {
    const gate = createGate({ parallelMax: 2, parallelPerHostMax: 1, waitingMax: 9 });
    const { signal } = new AbortController();
    const admitted: string[] = [];
    async function enter(host: string, name: string) {
      const leave = await gate.enter(host, signal);
      admitted.push(name);
      return leave;
    }
    const leaveFirst = await enter("a", "a1");
    const a2 = enter("a", "a2");
    const leaveB = await enter("b", "b1");
    const c1 = enter("c", "c1");
    const a3 = enter("a", "a3");
    assert.deepEqual(admitted, ["a1", "b1"]);
    leaveB();
    const leaveC = await c1;
    leaveFirst();
    leaveFirst();
    const leaveA2 = await a2;
    assert.deepEqual(admitted, ["a1", "b1", "c1", "a2"]);
    leaveC();
    leaveA2();
    const leaveA3 = await a3;
    leaveA3();
    assert.deepEqual(admitted, ["a1", "b1", "c1", "a2", "a3"]);
  });
});
