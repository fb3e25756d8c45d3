import { callApi, type ApiRequest } from "../api.ts";
import { CliError } from "../errors.ts";
import { isRecord } from "../instance.ts";
import type { Session } from "../principals/session.ts";

const VERSION = "2025-01-01";
const LISTED_BY = "npx atoll storage accounts list";
const SCOPES_LISTED_BY = "npx atoll storage scopes list ACCOUNT";

/** A request below the storage accounts; the path begins with a slash, or is empty. */
export function callAccounts(
  { api: { gateway, token }, endpoints }: Session,
  method: ApiRequest["method"],
  path: string,
  body?: object,
): Promise<unknown> {
  const { subscription_id: subscription, resource_group: group } = endpoints;
  const accounts =
    `${gateway}/subscriptions/${subscription}/resourceGroups/${group}` +
    "/providers/Svc.Storage/storageAccounts";
  const url = `${accounts}${path}?api-version=${VERSION}`;
  const listedBy = path.includes("/encryptionScopes/") ? SCOPES_LISTED_BY : LISTED_BY;
  return callApi({ method, url, token, listedBy, ...(body !== undefined && { body }) });
}

/** The items of an answer that holds them under this name. */
export function itemsOf(content: unknown, name: "keys" | "value"): readonly object[] {
  const items = isRecord(content) ? content[name] : undefined;
  if (Array.isArray(items)) return items.filter(isRecord);
  throw new CliError(
    "The answer about storage accounts is not what this version of the command expects.",
    "Run the command from the version of Atoll that is running.",
  );
}
