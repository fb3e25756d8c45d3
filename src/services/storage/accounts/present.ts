import { nameIn, type Dialect } from "#platform/http/dialect.ts";
import type { Context } from "../context.ts";
import { KEY_NAMES, type Account } from "./account.ts";
import { accountScope } from "./management.ts";

/** An account as the resource-manager interface shows it. */
export function presentAccount(context: Context, account: Account, dialect: Dialect) {
  const { name, location, kind, sku, tags, createdAt, keys } = account;
  const [origin = ""] = context.listenersOrigins();
  return {
    id: nameIn(dialect, accountScope(context, name)),
    name,
    type: nameIn(dialect, "Svc.Storage/storageAccounts"),
    location,
    kind,
    sku: { name: sku, tier: sku.startsWith("Premium") ? "Premium" : "Standard" },
    tags,
    properties: {
      provisioningState: "Succeeded",
      creationTime: createdAt,
      primaryLocation: location,
      statusOfPrimary: "available",
      primaryEndpoints: { blob: `${origin}/${name}/` },
      secondaryEndpoints: { blob: `${origin}/${name}-secondary/` },
      keyCreationTime: { key1: keys[0]?.createdAt, key2: keys[1]?.createdAt },
      accessTier: "Hot",
      allowBlobPublicAccess: true,
      allowSharedKeyAccess: true,
      isHnsEnabled: false,
    },
  };
}

export function presentKeys({ keys }: Account) {
  return {
    keys: keys.map(({ value, createdAt }, index) => ({
      keyName: KEY_NAMES[index] ?? "",
      value,
      permissions: "Full",
      creationTime: createdAt,
    })),
  };
}
