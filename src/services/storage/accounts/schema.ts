import { Type, type Static } from "typebox";

const TAGS_MAX = 15;
const TAG_NAME_MAX = 128;
const TAG_VALUE_MAX = 256;
const LOCATION_MAX = 64;
const CLOSED = { additionalProperties: false };

const Tags = Type.Record(
  Type.String({ minLength: 1, maxLength: TAG_NAME_MAX }),
  Type.String({ maxLength: TAG_VALUE_MAX }),
  { maxProperties: TAGS_MAX },
);
const Kind = Type.Enum(["Storage", "StorageV2", "BlobStorage", "BlockBlobStorage"]);
const Sku = Type.Object(
  {
    name: Type.Enum([
      "Standard_LRS",
      "Standard_ZRS",
      "Standard_GRS",
      "Standard_GZRS",
      "Standard_RAGRS",
      "Standard_RAGZRS",
      "Premium_LRS",
      "Premium_ZRS",
    ]),
    tier: Type.Optional(Type.String()),
  },
  CLOSED,
);
const Location = Type.String({ minLength: 1, maxLength: LOCATION_MAX });
/** Checked by name: what this store does not have is refused, and never ignored. */
const Properties = Type.Record(Type.String(), Type.Unknown());

const NewAccount = Type.Object(
  {
    location: Location,
    kind: Kind,
    sku: Sku,
    tags: Type.Optional(Tags),
    properties: Type.Optional(Properties),
  },
  CLOSED,
);
const AccountChange = Type.Object(
  {
    kind: Type.Optional(Kind),
    sku: Type.Optional(Sku),
    tags: Type.Optional(Tags),
    properties: Type.Optional(Properties),
  },
  CLOSED,
);
export type AccountChange = Static<typeof AccountChange>;

const version = Type.Object({ "api-version": Type.String() });
const subscription = { subscriptionId: Type.String() };
const group = { ...subscription, resourceGroupName: Type.String() };
const Named = Type.Object({ ...group, accountName: Type.String() });
export type Named = Static<typeof Named>;

export const PutAccount = {
  summary: "Makes a storage account, or changes what is said of one",
  querystring: version,
  params: Named,
  body: NewAccount,
};
export const PatchAccount = {
  summary: "Changes what is said of a storage account",
  querystring: version,
  params: Named,
  body: AccountChange,
};
export const OneAccount = { querystring: version, params: Named };
export const ListAccounts = {
  summary: "The storage accounts that the caller may read",
  querystring: version,
  params: Type.Object(subscription),
};
export const ListAccountsOfGroup = {
  summary: "The storage accounts of a resource group that the caller may read",
  querystring: version,
  params: Type.Object(group),
};
export const RegenerateKey = {
  summary: "Replaces a key of a storage account",
  querystring: version,
  params: Named,
  body: Type.Object({ keyName: Type.Enum(["key1", "key2"]) }, CLOSED),
};
export const CheckName = {
  summary: "Whether a storage account can have this name",
  querystring: version,
  params: Type.Object(subscription),
  body: Type.Object({ name: Type.String(), type: Type.Optional(Type.String()) }, CLOSED),
};
