import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import type * as Cedar from "@cedar-policy/cedar-wasm/nodejs";
import type { AccessRequest } from "#platform/auth/access.ts";
import { callerNamed } from "../authorization.fixture.ts";
import { createAccessIndex, type IndexedAssignment } from "./access-index.ts";
import { compileRole, matcher } from "./patterns.ts";
import { scopeKey } from "./scopes.ts";

const cedar = createRequire(import.meta.url)("@cedar-policy/cedar-wasm/nodejs") as typeof Cedar;

const ROLES = {
  all: { actions: ["*"], notActions: [], dataActions: [], notDataActions: [] },
  reads: { actions: ["*/read"], notActions: ["b/*"], dataActions: [], notDataActions: [] },
  data: { actions: [], notActions: [], dataActions: ["*"], notDataActions: ["a/*", "*/delete"] },
  mixed: { actions: ["a/*"], notActions: ["a/x/*"], dataActions: ["*x*read"], notDataActions: [] },
} as const;
const MEMBERSHIP: Readonly<Record<string, readonly string[]>> = { p1: ["g1", "g2"], p2: ["g2"] };

const names = Object.keys(ROLES) as (keyof typeof ROLES)[];
const segment = fc.constantFrom("rg1", "rg10", "RG1", "x");
const scope = fc.array(segment, { maxLength: 3 }).map((segments) => `/${segments.join("/")}`);
const operation = fc
  .tuple(
    fc.constantFrom("a", "b", "A"),
    fc.constantFrom("x", "y"),
    fc.constantFrom("read", "delete"),
  )
  .map((parts) => parts.join("/"));
const assignment = fc.record({
  id: fc.uuid(),
  principalObjectId: fc.constantFrom("p1", "p2", "g1", "g2"),
  roleDefinitionId: fc.constantFrom(...names),
  scope,
});
const request = fc.record({
  action: operation,
  scope,
  plane: fc.constantFrom("control" as const, "data" as const),
});

function indexOf(assignments: readonly IndexedAssignment[]) {
  const roles = new Map<string, ReturnType<typeof compileRole>>(
    names.map((name) => [name, compileRole([ROLES[name]])]),
  );
  const index = createAccessIndex({
    groupsOf: (id) => MEMBERSHIP[id] ?? [],
    principalExists: () => true,
    findRole: (id) => roles.get(id),
  });
  assignments.forEach(index.add);
  return index;
}

/** The same question put to Cedar: one policy for each pattern of each assignment. */
function cedarDecides(
  assignments: readonly IndexedAssignment[],
  who: string,
  asked: AccessRequest,
) {
  const principals = [who, ...(MEMBERSHIP[who] ?? [])].map((id) => ({ type: "P", id }));
  const policies = assignments.flatMap((one) => policiesOf(one, asked.plane));
  const answer = cedar.isAuthorized({
    principal: { type: "P", id: who },
    action: { type: "Action", id: "do" },
    resource: { type: "R", id: "it" },
    context: { operation: asked.action.toLowerCase(), scope: `${scopeKey(asked.scope)}/` },
    policies: { staticPolicies: policies.join("\n") },
    entities: [{ uid: { type: "P", id: who }, attrs: {}, parents: principals.slice(1) }],
  });
  assert.equal(answer.type, "success");
  return answer.type === "success" && answer.response.decision === "allow";
}

function policiesOf(one: IndexedAssignment, plane: AccessRequest["plane"]): string[] {
  const role = ROLES[one.roleDefinitionId as keyof typeof ROLES];
  const allowed = plane === "data" ? role.dataActions : role.actions;
  const not = plane === "data" ? role.notDataActions : role.notActions;
  const unless = not.map((pattern) => ` && !(context.operation like "${pattern}")`).join("");
  const covered = `context.scope like "${scopeKey(one.scope)}/*"`;
  return allowed.map(
    (pattern) =>
      `permit(principal in P::"${one.principalObjectId}", action, resource) ` +
      `when { ${covered} && context.operation like "${pattern}"${unless} };`,
  );
}

suite("the access decision", () => {
  test("agrees with Cedar", () => {
    fc.assert(
      fc.property(fc.array(assignment, { maxLength: 6 }), request, (assignments, asked) => {
        const index = indexOf(assignments);
        for (const who of ["p1", "p2"]) {
          const decided = index.decide(callerNamed(who), asked);
          assert.equal(decided, cedarDecides(assignments, who, asked));
        }
      }),
      { numRuns: 300 },
    );
  });

  test("forgets what is removed and nothing else", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(assignment, {
          minLength: 1,
          maxLength: 6,
          selector: (one) =>
            [one.principalObjectId, one.roleDefinitionId, scopeKey(one.scope)].join(" "),
        }),
        request,
        (assignments, asked) => {
          const [first, ...rest] = assignments;
          const index = indexOf(assignments);
          if (first !== undefined) index.remove(first);
          const expected = indexOf(rest).decide(callerNamed("p1"), asked);
          assert.equal(index.decide(callerNamed("p1"), asked), expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("inherits at segment boundaries, without regard to case", () => {
    const { decide } = indexOf([
      { id: "1", principalObjectId: "p1", roleDefinitionId: "all", scope: "/s/rg1" },
    ]);
    const at = (path: string) =>
      decide(callerNamed("p1"), { action: "a/x/read", scope: path, plane: "control" });
    assert.deepEqual(["/S/RG1", "/s/rg1/x", "/s/rg10", "/s", "/"].map(at), [
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test("gives no data to whoever may do everything else", () => {
    const { decide } = indexOf([
      { id: "1", principalObjectId: "p1", roleDefinitionId: "all", scope: "/" },
    ]);
    const asked = { action: "a/x/read", scope: "/s" };
    assert.equal(decide(callerNamed("p1"), { ...asked, plane: "control" }), true);
    assert.equal(decide(callerNamed("p1"), { ...asked, plane: "data" }), false);
  });
});

suite("a pattern", () => {
  test("matches as the same pattern written as a regular expression would", () => {
    const pattern = fc.array(fc.constantFrom("a", "b", "/", "*", "."), { maxLength: 8 });
    const text = fc.array(fc.constantFrom("a", "b", "/", "."), { maxLength: 8 });
    fc.assert(
      fc.property(pattern, text, (parts, letters) => {
        const source = parts.map((part) => (part === "*" ? ".*" : RegExp.escape(part))).join("");
        const expected = new RegExp(`^${source}$`).test(letters.join(""));
        assert.equal(matcher(parts.join(""))(letters.join("")), expected);
      }),
    );
  });
});
