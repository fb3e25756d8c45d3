import type { QueryRequest as Ask } from "#engines/kql/kql.ts";
import type { Caller } from "#platform/auth/caller.ts";
import type { Context } from "../context.ts";
import { principalNamed } from "../principals.ts";
import type { QueryRequest } from "../protocol/request.ts";

export interface Asking {
  readonly caller: Caller;
  readonly request: QueryRequest;
  readonly database: string;
  readonly text: string;
  /** What `now()` is, when the text itself says so. */
  readonly now?: Date | undefined;
}

/** A text for the language engine: bound to what its author may see, and with who asks. */
export function askOf(context: Context, { caller, request, database, text, now }: Asking): Ask {
  const { access, catalog, environment, addresses } = context;
  return {
    text,
    database,
    schema: access.visible(caller, catalog.schema()),
    parameters: request.parameters,
    now: now ?? request.options.now ?? environment.now(),
    caller: factsOf(context, caller),
    clusterUri: addresses.cluster(),
  };
}

function factsOf({ principals }: Context, { objectId, tenantId, kind }: Caller) {
  return {
    objectId,
    tenantId,
    kind: kind === "ServicePrincipal" ? "app" : "user",
    name: principals.find(objectId)?.displayName ?? objectId,
    isMemberOf(written: readonly string[]) {
      const ids = new Set([objectId, ...principals.groupsOf(objectId)]);
      return written.some((one) => ids.has(principalNamed(principals, one)?.objectId ?? ""));
    },
  } as const;
}
