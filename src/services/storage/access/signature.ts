import type { Caller } from "#platform/auth/caller.ts";
import { failedSas } from "#platform/auth/sas-fields.ts";
import { requireSasLimits } from "#platform/auth/sas-limits.ts";
import { parseSas, requireSignature, withPolicy, type Sas } from "#platform/auth/sas.ts";
import { readPolicies } from "../containers/policies.ts";
import type { Context } from "../context.ts";
import { delegationKey } from "./delegation-key.ts";
import type { Target } from "./target.ts";

/** The circumstances of a request that bears a signature. */
export interface SignedRequest {
  readonly target: Target;
  /** Keys of the account. */
  readonly keys: readonly Uint8Array[];
  readonly isSecure: boolean;
  /** Address of the client. */
  readonly address: string;
  readonly rawHeaders: readonly string[];
  /** Whose token came along; undefined where none did. */
  readonly bearer: Caller | undefined;
}

/** The signature of a request, verified, with what its stored policy supplies. */
export async function verifySignature(context: Context, request: SignedRequest): Promise<Sas> {
  const { target, keys, isSecure, address, rawHeaders, bearer } = request;
  const sas = parseSas(target.query);
  const signing = sas.kind === "delegation" ? [keyOfPrincipal(context, target, sas)] : keys;
  const resource = { ...target, blob: target.blob === "" ? undefined : target.blob };
  requireSignature(sas, signing, resource, { rawHeaders, query: target.query });
  requireDelegatedUser(sas, bearer);
  const whole = sas.policy === "" ? sas : withPolicy(sas, await findPolicy(context, target, sas));
  requireSasLimits(whole, { isSecure, address, now: context.environment.now() });
  return whole;
}

/** Whether a signature only holds together with its user's token. */
export function isForDelegatedUser({ query }: Target): boolean {
  return query.has("sduoid") || query.has("skdutid");
}

function keyOfPrincipal({ accounts }: Context, { account }: Target, { fields }: Sas): Uint8Array {
  const of = (name: string) => fields.get(name) ?? "";
  return delegationKey(accounts.delegationSecret(account), {
    objectId: of("skoid"),
    tenantId: of("sktid"),
    start: of("skt"),
    expiry: of("ske"),
    service: of("sks"),
    version: of("skv"),
    delegatedTenantId: of("skdutid"),
  });
}

/** The policy is looked up at every use, so deleting it takes effect at once. */
async function findPolicy({ catalog }: Context, { account, container }: Target, sas: Sas) {
  const row = await catalog.useContainer(account, container, (entry) => entry.visible);
  const policies = row === undefined ? [] : readPolicies(row);
  const policy = policies.find(({ id }) => id === sas.policy);
  if (policy !== undefined) return policy;
  throw failedSas(`The container has no stored access policy "${sas.policy}" (si).`);
}

/** Some signatures of a principal are for one other user, or for those of one tenant. */
function requireDelegatedUser({ fields }: Sas, bearer: Caller | undefined): void {
  const wanted = [fields.get("sduoid"), fields.get("skdutid")];
  const found = [bearer?.objectId, bearer?.tenantId];
  if (wanted.every((id, at) => id === undefined || id === found[at])) return;
  throw failedSas(
    "The signature holds together with the token of the user sduoid of the tenant skdutid only, " +
      "sent in Authorization: Bearer.",
  );
}
