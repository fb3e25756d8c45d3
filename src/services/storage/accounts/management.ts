import { requireAccess } from "#platform/auth/access.ts";
import type { Caller } from "#platform/auth/caller.ts";
import { Problem } from "#platform/problem.ts";
import type { Context } from "../context.ts";
import type { Account, AccountSettings, KeyName } from "./account.ts";
import { clearAccount } from "./clear-account.ts";
import { accountNotFound, nameFault } from "./refusals.ts";
import type { AccountChange, Named } from "./schema.ts";

const ACCOUNTS = "Svc.Storage/storageAccounts";

/** What is true of every account here; any other value of these, and any other name, is refused. */
const PROPERTIES: Readonly<Record<string, unknown>> = {
  accessTier: "Hot",
  allowBlobPublicAccess: true,
  allowSharedKeyAccess: true,
  isHnsEnabled: false,
  isNfsV3Enabled: false,
  isSftpEnabled: false,
};

type Place = Pick<Named, "subscriptionId"> & Partial<Pick<Named, "resourceGroupName">>;

export function getAccount(context: Context, caller: Caller, at: Named): Account {
  permit(context, caller, at, "read");
  return requireFound(context, at);
}

/** Those that the caller may read. */
export function listAccounts(context: Context, caller: Caller, at: Place): readonly Account[] {
  requirePlace(context, at);
  return context.accounts.list().filter(({ name }) => {
    const scope = accountScope(context, name);
    return context.decide(caller, { action: `${ACCOUNTS}/read`, scope, plane: "control" });
  });
}

/** Makes an account, or changes the one that is there. */
export async function putAccount(
  context: Context,
  caller: Caller,
  at: Named,
  body: Omit<AccountSettings, "sku" | "tags"> & AccountChange & { readonly sku: { name: string } },
): Promise<Account> {
  permit(context, caller, at, "write");
  requireProperties(body);
  const { location, kind, sku, tags = {} } = body;
  return context.accounts.put(at.accountName, { location, kind, sku: sku.name, tags });
}

/** Changes what is sent, and leaves the rest. */
export async function changeAccount(
  context: Context,
  caller: Caller,
  at: Named,
  body: AccountChange,
): Promise<Account> {
  permit(context, caller, at, "write");
  requireProperties(body);
  const existing = requireFound(context, at);
  const { location } = existing;
  const { kind = existing.kind, sku = { name: existing.sku }, tags = existing.tags } = body;
  return context.accounts.put(at.accountName, { location, kind, sku: sku.name, tags });
}

/** With all containers. Returns whether there was one. */
export async function deleteAccount(context: Context, caller: Caller, at: Named): Promise<boolean> {
  permit(context, caller, at, "delete");
  const { accountName: name } = at;
  if (context.accounts.find(name) === undefined) return false;
  await context.accounts.remove(name, () => clearAccount(context, name));
  return true;
}

export function listKeys(context: Context, caller: Caller, at: Named): Account {
  permit(context, caller, at, "listKeys/action");
  return requireFound(context, at);
}

/** The key that it replaces is refused from the next request on. */
export async function regenerateKey(
  context: Context,
  caller: Caller,
  at: Named,
  key: KeyName,
): Promise<Account> {
  permit(context, caller, at, "regenerateKey/action");
  requireFound(context, at);
  const account = await context.accounts.regenerate(at.accountName, key);
  await context.keysChanged?.(account.name);
  return account;
}

/** Whatever user delegation keys have signed is refused from the next request on. */
export async function revokeDelegation(context: Context, caller: Caller, at: Named): Promise<void> {
  permit(context, caller, at, "revokeUserDelegationKeys/action");
  await context.accounts.revokeDelegation(at.accountName);
}

/** Whether an account can be made under this name; if not, why. */
export function checkName(context: Context, caller: Caller, at: Place, name: string) {
  requirePlace(context, at);
  const scope = `/subscriptions/${context.subscriptionId}`;
  const action = "Svc.Storage/checkNameAvailability/read";
  requireAccess(context.decide, caller, { action, scope, plane: "control" });
  const fault = nameFault(name);
  if (fault !== undefined) {
    return { nameAvailable: false, reason: "AccountNameInvalid", message: fault };
  }
  const isTaken = context.keys.has(name) || context.accounts.leaving().includes(name);
  if (!isTaken) return { nameAvailable: true };
  const message = `There is a storage account "${name}" already.`;
  return { nameAvailable: false, reason: "AlreadyExists", message };
}

/** The path under which roles are assigned at an account. */
export function accountScope(
  { subscriptionId, resourceGroup }: Pick<Context, "resourceGroup" | "subscriptionId">,
  name: string,
): string {
  const group = `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}`;
  return `${group}/providers/${ACCOUNTS}/${name}`;
}

/** Refuses whoever may not perform the action at the account. */
export function permit(context: Context, caller: Caller, at: Named, action: string): void {
  requirePlace(context, at);
  const scope = accountScope(context, at.accountName);
  requireAccess(context.decide, caller, {
    action: `${ACCOUNTS}/${action}`,
    scope,
    plane: "control",
  });
}

export function requireFound({ accounts }: Context, { accountName }: Named): Account {
  const found = accounts.find(accountName);
  if (found === undefined) throw accountNotFound(accountName);
  return found;
}

/** There is one subscription, and one resource group in it. */
function requirePlace(context: Context, { subscriptionId, resourceGroupName }: Place): void {
  if (subscriptionId.toLowerCase() !== context.subscriptionId.toLowerCase()) {
    const said = `There is no subscription ${subscriptionId}; there is ${context.subscriptionId}.`;
    throw new Problem(404, "SubscriptionNotFound", said);
  }
  const group = context.resourceGroup;
  if (resourceGroupName === undefined) return;
  if (resourceGroupName.toLowerCase() === group.toLowerCase()) return;
  const said = `There is no resource group "${resourceGroupName}"; there is "${group}".`;
  throw new Problem(404, "ResourceGroupNotFound", said);
}

function requireProperties({ properties = {} }: AccountChange): void {
  for (const [name, value] of Object.entries(properties)) {
    if (Object.hasOwn(PROPERTIES, name) && PROPERTIES[name] === value) continue;
    const known = Object.entries(PROPERTIES).map(([one, only]) => `${one} (${String(only)})`);
    const said =
      `properties.${name} is ${JSON.stringify(value)}, which accounts here do not have yet; ` +
      `they have ${known.join(", ")}.`;
    throw new Problem(501, "NotImplemented", said);
  }
}
