import { Type, type Static } from "typebox";
import { Problem } from "#platform/problem.ts";
import type { Context } from "../context.ts";
import { sameResource } from "../tokens/audiences.ts";
import type { Parameters } from "./parameters.ts";

/** The one thing that an application may do for a user: act as the user. */
export const USER_IMPERSONATION = "user_impersonation";
const DEFAULT_SCOPE = ".default";
export const OPENID_SCOPES = ["openid", "profile", "email", "offline_access"];

/** What a token is asked for. */
export const Target = Type.Object({
  /** The resource as the client wrote it, which becomes `aud`. */
  audience: Type.String(),
  /** What is granted, in the client's own words. */
  scope: Type.String(),
  /** The claim `scp` of a user's token. */
  scp: Type.Array(Type.String()),
  openid: Type.Boolean(),
  offline: Type.Boolean(),
});
export type Target = Static<typeof Target>;

type Known = Pick<Context, "authUrl" | "resources">;

/** Reads `resource` and `scope`; one token is for one resource. `before` stands for neither. */
export function parseTarget(context: Known, parameters: Parameters, before?: Target): Target {
  const resource = readResource(context, parameters);
  const asked = (parameters.get("scope") ?? "").split(" ").filter((scope) => scope !== "");
  const isEmpty = asked.length === 0 && resource === undefined;
  if (isEmpty && before !== undefined) return before;
  const openid = asked.filter((scope) => OPENID_SCOPES.includes(scope));
  const others = asked.filter((scope) => !OPENID_SCOPES.includes(scope));
  const named = others.map((scope) => resourceOf(context, scope));
  const audience = theOne([resource, ...named]);
  const claimed = openid.filter((scope) => scope !== "offline_access");
  const common = { openid: openid.includes("openid"), offline: openid.includes("offline_access") };
  if (resource === undefined && others.length === 0 && openid.length > 0) {
    return { ...common, audience: userinfoOf(context), scope: openid.join(" "), scp: claimed };
  }
  const granted = others.length > 0 ? others : [USER_IMPERSONATION];
  return {
    ...common,
    audience: audience ?? context.authUrl(),
    scope: [...openid, ...granted].join(" "),
    scp: [USER_IMPERSONATION, ...claimed],
  };
}

function readResource(context: Known, parameters: Parameters): string | undefined {
  const resource = parameters.get("resource");
  if (resource === undefined || isKnown(context, resource)) return resource;
  throw new Problem(400, "invalid_target", `The resource "${resource}" is not known here.`);
}

/** Where a token that is asked for with `openid` alone is good. */
export function userinfoOf({ authUrl }: Pick<Context, "authUrl">): string {
  return `${authUrl()}/oidc/userinfo`;
}

export function isKnown(context: Known, resource: string): boolean {
  const known = [context.authUrl(), ...context.resources()];
  return known.some((name) => sameResource(name, resource));
}

/** The resource that a scope names, unless it leaves that to the rest of the request. */
function resourceOf(context: Known, scope: string): string | undefined {
  if (scope === DEFAULT_SCOPE || scope === USER_IMPERSONATION) return undefined;
  for (const last of [DEFAULT_SCOPE, USER_IMPERSONATION]) {
    if (!scope.endsWith(`/${last}`)) continue;
    const resource = scope.slice(0, -last.length - 1);
    if (isKnown(context, resource)) return resource;
  }
  throw new Problem(
    400,
    "invalid_scope",
    `The scope "${scope}" is not known here; a scope is <resource>/${DEFAULT_SCOPE}, ` +
      `<resource>/${USER_IMPERSONATION}, or one of ${OPENID_SCOPES.join(", ")}.`,
  );
}

function theOne(resources: readonly (string | undefined)[]): string | undefined {
  const [first, ...rest] = resources.filter((name) => name !== undefined);
  const other = rest.find((name) => first !== undefined && !sameResource(name, first));
  if (other === undefined) return first;
  throw new Problem(
    400,
    "invalid_scope",
    `One token is for one resource; "${first ?? ""}" and "${other}" are two.`,
  );
}
