import { Type, type Static } from "typebox";

const CLOSED = { additionalProperties: false };

/** Keys of a vault, and a second encryption below the first, are refused by name. */
const Change = Type.Object(
  {
    properties: Type.Optional(
      Type.Object(
        {
          source: Type.Optional(Type.String()),
          state: Type.Optional(Type.Enum(["Disabled", "Enabled"])),
          requireInfrastructureEncryption: Type.Optional(Type.Boolean()),
          keyVaultProperties: Type.Optional(Type.Unknown()),
        },
        CLOSED,
      ),
    ),
  },
  CLOSED,
);
export type ScopeChange = Static<typeof Change>;

const version = Type.Object({ "api-version": Type.String() });
const account = {
  subscriptionId: Type.String(),
  resourceGroupName: Type.String(),
  accountName: Type.String(),
};
const NamedScope = Type.Object({ ...account, scopeName: Type.String() });
export type NamedScope = Static<typeof NamedScope>;

export const ListScopes = {
  summary: "The encryption scopes of a storage account",
  querystring: Type.Object({
    "api-version": Type.String(),
    $include: Type.Optional(Type.Enum(["All", "Disabled", "Enabled"])),
    $filter: Type.Optional(Type.String()),
  }),
  params: Type.Object(account),
};
export const GetScope = {
  summary: "One encryption scope",
  querystring: version,
  params: NamedScope,
};
export const PutScope = {
  summary: "Makes an encryption scope, or changes its state",
  querystring: version,
  params: NamedScope,
  body: Change,
};
export const PatchScope = { ...PutScope, summary: "Changes the state of an encryption scope" };
