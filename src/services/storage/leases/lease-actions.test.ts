import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Problem } from "#platform/problem.ts";
import { afterAction, type LeaseAction } from "./lease-actions.ts";
import { ENDLESS, leaseState, type Lease } from "./lease.ts";

const A = "aaaaaaaa-0000-0000-0000-000000000000";
const B = "bbbbbbbb-0000-0000-0000-000000000000";
const C = "cccccccc-0000-0000-0000-000000000000";
const NOW = new Date("2026-11-21T12:00:00Z");
const at = (seconds: number) => NOW.getTime() + seconds * 1000;

const LEASED: Lease = { id: A, seconds: 30, expiresAt: at(20), breaksAt: null };
const ENDLESSLY: Lease = { id: A, seconds: ENDLESS, expiresAt: null, breaksAt: null };
const STATES: Readonly<Record<string, Lease | undefined>> = {
  available: undefined,
  leased: LEASED,
  breaking: { ...LEASED, breaksAt: at(10) },
  broken: { ...LEASED, breaksAt: at(-1) },
  expired: { ...LEASED, expiresAt: at(0) },
};

/** What an action ends in from each of the five states: the state afterwards, or the code. */
function outcomes(action: LeaseAction): Record<string, string> {
  return Object.fromEntries(
    Object.entries(STATES).map(([name, lease]) => {
      assert.equal(leaseState(lease, NOW), name);
      try {
        const after = afterAction(lease, action, NOW);
        const state = leaseState(after, NOW);
        return [name, after === undefined ? state : `${state} ${after.id.slice(0, 1)}`];
      } catch (error) {
        assert.ok(error instanceof Problem && error.statusCode === 409);
        return [name, error.code];
      }
    }),
  );
}

const MISMATCH = "LeaseIdMismatchWithLeaseOperation";
const NOT_PRESENT = "LeaseNotPresentWithLeaseOperation";

suite("an action on a lease", () => {
  test("acquires where nobody holds a lease, or again for the holder", () => {
    assert.deepEqual(outcomes({ kind: "acquire", id: B, seconds: 15 }), {
      available: "leased b",
      leased: "LeaseAlreadyPresent",
      breaking: "LeaseAlreadyPresent",
      broken: "leased b",
      expired: "leased b",
    });
    assert.deepEqual(outcomes({ kind: "acquire", id: A, seconds: 15 }), {
      available: "leased a",
      leased: "leased a",
      breaking: "LeaseIsBreakingAndCannotBeAcquired",
      broken: "leased a",
      expired: "leased a",
    });
    const again = afterAction(LEASED, { kind: "acquire", id: A, seconds: ENDLESS }, NOW);
    assert.deepEqual(again, ENDLESSLY);
  });

  test("renews for the holder, also what has expired and nobody has changed", () => {
    assert.deepEqual(outcomes({ kind: "renew", id: A }), {
      available: MISMATCH,
      leased: "leased a",
      breaking: "LeaseIsBrokenAndCannotBeRenewed",
      broken: "LeaseIsBrokenAndCannotBeRenewed",
      expired: "leased a",
    });
    const wrong = outcomes({ kind: "renew", id: B });
    assert.deepEqual([...new Set(Object.values(wrong))], [MISMATCH]);
    const renewed = afterAction(LEASED, { kind: "renew", id: A }, NOW);
    assert.deepEqual(renewed, { ...LEASED, expiresAt: at(30) });
  });

  test("changes the id for the holder, also when it is sent again", () => {
    const table = {
      available: NOT_PRESENT,
      leased: "leased b",
      breaking: "LeaseIsBreakingAndCannotBeChanged",
      broken: NOT_PRESENT,
      expired: NOT_PRESENT,
    };
    assert.deepEqual(outcomes({ kind: "change", id: A, proposed: B }), table);
    const again = { ...table, leased: "leased a" };
    assert.deepEqual(outcomes({ kind: "change", id: C, proposed: A }), again);
    const wrong = { ...table, leased: MISMATCH, breaking: MISMATCH };
    assert.deepEqual(outcomes({ kind: "change", id: C, proposed: B }), wrong);
  });

  test("releases for the holder alone", () => {
    assert.deepEqual(outcomes({ kind: "release", id: A }), {
      available: MISMATCH,
      leased: "available",
      breaking: "available",
      broken: "available",
      expired: "available",
    });
    const wrong = outcomes({ kind: "release", id: B });
    assert.deepEqual([...new Set(Object.values(wrong))], [MISMATCH]);
  });

  test("breaks for anybody, now or within the time that is left", () => {
    assert.deepEqual(outcomes({ kind: "break", seconds: 0 }), {
      available: NOT_PRESENT,
      leased: "broken a",
      breaking: "broken a",
      broken: "broken a",
      expired: "broken a",
    });
    const breaksIn = (lease: Lease | undefined, seconds?: number) => {
      const after = afterAction(lease, { kind: "break", seconds }, NOW);
      return ((after?.breaksAt ?? Number.NaN) - NOW.getTime()) / 1000;
    };
    assert.deepEqual([breaksIn(LEASED), breaksIn(LEASED, 5), breaksIn(LEASED, 60)], [20, 5, 20]);
    assert.deepEqual([breaksIn(ENDLESSLY), breaksIn(ENDLESSLY, 60)], [0, 60]);
    const { breaking } = STATES;
    assert.deepEqual(
      [breaksIn(breaking), breaksIn(breaking, 5), breaksIn(breaking, 60)],
      [10, 5, 10],
    );
  });
});
