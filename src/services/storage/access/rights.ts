import type { AccessRequest } from "#platform/auth/access.ts";
import type { Caller } from "#platform/auth/caller.ts";
import type { Sas } from "#platform/auth/sas.ts";
import { Problem } from "#platform/problem.ts";
import type { Context } from "../context.ts";
import { unauthenticated, type Identity } from "./identity.ts";
import type { Target } from "./target.ts";

const SERVICES = "Svc.Storage/storageAccounts/blobServices";

/** What an operation demands of whoever asks for it. */
export interface Need {
  /** Any of these letters of a signature suffices. Empty where no signature does. */
  readonly letters: string;
  /** `s` for the account, `c` for containers, `o` for blobs: types of an account signature. */
  readonly resource: "c" | "o" | "s";
  /** Whether signatures for the container suffice where `resource` is `c`. */
  readonly byContainerSignature?: boolean;
  readonly plane: AccessRequest["plane"];
  /** Any of these suffices; named without `Svc.Storage/…/containers/`. */
  readonly actions: readonly string[];
  /** Instead of `actions`: named without `Svc.Storage/…/blobServices/`. */
  readonly serviceActions?: readonly string[];
  /** Open to everybody where the container's public access is one of these. */
  readonly publicAccess: readonly string[];
  /** What it takes to write over an existing blob, where that is more. */
  readonly overwrite?: { readonly letter: string; readonly action: string };
}

/** What the caller may do beyond the operation asked for. */
export interface Rights {
  readonly mayOverwrite: boolean;
}

const ALL_RIGHTS: Rights = { mayOverwrite: true };

/** Refuses what the identity may not do here; tells what else it may. */
export async function authorize(
  context: Context,
  identity: Identity,
  need: Need,
  target: Target,
): Promise<Rights> {
  if (identity.kind === "key") return ALL_RIGHTS;
  if (identity.kind === "sas") return bySignature(context, identity, need, target);
  if (identity.kind === "bearer") return byRoles(context, identity.caller, need, target);
  return byPublicAccess(context, need, target);
}

function bySignature(
  context: Context,
  { sas, caller }: Identity & { readonly kind: "sas" },
  need: Need,
  target: Target,
): Rights {
  const rights = byLetters(sas, need);
  if (sas.kind !== "delegation") return rights;
  // A signature hands on what its signer may do at this moment, and never more.
  const { mayOverwrite } = byRoles(context, caller, need, target);
  return { mayOverwrite: mayOverwrite && rights.mayOverwrite };
}

function byLetters(sas: Sas, need: Need): Rights {
  const { letters, resource, overwrite, byContainerSignature = false } = need;
  if (sas.kind === "account") {
    requireField(sas, "ss", "b", "AuthorizationServiceMismatch");
    requireField(sas, "srt", resource, "AuthorizationResourceTypeMismatch");
  } else if (resource !== "o" && !byContainerSignature) {
    throw mismatch("A signature of a blob or container allows nothing on the container itself.");
  }
  if (letters === "") throw mismatch("No shared access signature allows this operation.");
  const any = letters.split("");
  if (!any.some((letter) => sas.permissions.includes(letter))) {
    const wanted = any.join(" or ");
    throw mismatch(`The signature's permissions (sp) are "${sas.permissions}", without ${wanted}.`);
  }
  return {
    mayOverwrite: overwrite === undefined || sas.permissions.includes(overwrite.letter),
  };
}

function requireField(sas: Sas, name: string, letter: string, code: string): void {
  const value = sas.fields.get(name) ?? "";
  if (value.includes(letter)) return;
  throw new Problem(403, code, `The signature's ${name} is "${value}", without ${letter}.`);
}

function byRoles(context: Context, caller: Caller, need: Need, target: Target): Rights {
  const { plane, overwrite } = need;
  const scope = scopeOf(context, target);
  const allows = (action: string) => context.decide(caller, { action, scope, plane });
  const actions = actionsOf(need);
  if (!actions.some(allows)) {
    const kind = plane === "data" ? "data action" : "action";
    throw mismatch(
      `The principal ${caller.objectId} may not perform the ${kind} ${actions.join(" or ")} at ` +
        `the scope ${scope}; no role assigned to it there allows it.`,
    );
  }
  const more = overwrite === undefined ? undefined : `${SERVICES}/containers/${overwrite.action}`;
  return { mayOverwrite: more === undefined || allows(more) };
}

function actionsOf({ actions, serviceActions }: Need): string[] {
  if (serviceActions !== undefined) return serviceActions.map((action) => `${SERVICES}/${action}`);
  return actions.map((action) => `${SERVICES}/containers/${action}`);
}

/** The container, or the account's blob service where the request names no container. */
function scopeOf({ subscriptionId, resourceGroup }: Context, target: Target): string {
  const { account, container } = target;
  return (
    `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}` +
    `/providers/Svc.Storage/storageAccounts/${account}/blobServices/default` +
    (container === "" ? "" : `/containers/${container}`)
  );
}

/** Without credentials a private container and a missing one are not told apart. */
async function byPublicAccess(context: Context, need: Need, target: Target): Promise<Rights> {
  const access = await context.catalog.useContainer(
    target.account,
    target.container,
    ({ visible }) => visible?.publicAccess,
  );
  if (typeof access === "string" && need.publicAccess.includes(access)) return ALL_RIGHTS;
  throw unauthenticated(
    "NoAuthenticationInformation",
    "The request carries no credentials, and what it asks for is not public: send " +
      "Authorization, or a URL with a shared access signature.",
  );
}

function mismatch(message: string): Problem {
  return new Problem(403, "AuthorizationPermissionMismatch", message);
}
