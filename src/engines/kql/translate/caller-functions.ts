import { KqlError } from "../kql-error.ts";
import type { SyntaxNode } from "../language/syntax.ts";
import { literal, type Scalar } from "../plan/scalar.ts";
import { argumentsOf } from "./call-parts.ts";
import { translateScalar, type CallerFacts, type Scope, type Translation } from "./translation.ts";

type CallerFunction = (node: SyntaxNode, scope: Scope, state: Translation) => Scalar;

/** Functions about who asks, and where. */
export const callerFunctions: Readonly<Record<string, CallerFunction>> = {
  current_cluster_endpoint: (_node, _scope, state) => literal("string", state.clusterUri),
  current_principal: (_node, _scope, state) => literal("string", qualified(callerOf(state))),
  current_principal_details: (_node, _scope, state) => {
    const { objectId, tenantId, kind, name } = callerOf(state);
    return literal("dynamic", {
      UserPrincipalName: name,
      IdentityProvider: "https://sts.windows.net",
      Authority: tenantId,
      Mfa: "False",
      Type: kind === "user" ? "AadUser" : "AadApplication",
      DisplayName: name,
      ObjectId: objectId,
      FQN: qualified(callerOf(state)),
      Notes: "",
    });
  },
  current_principal_is_member_of: (node, scope, state) => {
    const names = argumentsOf(node).map((one) => namedPrincipal(one, scope, state));
    return literal("bool", callerOf(state).isMemberOf(names.flat()));
  },
};

function callerOf(state: Translation): CallerFacts {
  state.isPersonal = true;
  if (state.caller !== undefined) return state.caller;
  throw new KqlError("semantic", "Nobody is known to ask this query.");
}

/** `aaduser=<object>;<tenant>`, as principals are written in the language. */
function qualified({ kind, objectId, tenantId }: CallerFacts): string {
  return `aad${kind}=${objectId};${tenantId}`;
}

function namedPrincipal(node: SyntaxNode, scope: Scope, state: Translation): string[] {
  const value = translateScalar(node, scope, state);
  if (value.kind === "literal" && typeof value.value === "string") return [value.value];
  if (value.kind === "literal" && Array.isArray(value.value)) return value.value.map(String);
  throw new KqlError(
    "semantic",
    "A principal is named by a literal, such as 'aaduser=name@domain'.",
  );
}
