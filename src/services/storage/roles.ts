import type { RoleDefinition } from "#platform/auth/roles.ts";

const ACCOUNTS = "Svc.Storage/storageAccounts";
const SERVICES = `${ACCOUNTS}/blobServices`;
const CONTAINERS = `${SERVICES}/containers`;
const BLOBS = `${CONTAINERS}/blobs`;
const GET_DELEGATION_KEY = `${SERVICES}/generateUserDelegationKey/action`;

/** Whoever owns a store may do everything with its blobs. */
export const STORAGE_DATA_OWNER_ROLE_ID = "b7e6dc6d-f1e8-4753-8033-0f276bb0955b";

/** The roles that come with storage, by the ids under which clients know them. */
export const storageRoles: readonly RoleDefinition[] = [
  builtIn({
    id: STORAGE_DATA_OWNER_ROLE_ID,
    roleName: "Storage Blob Data Owner",
    description: "Everything with containers and blobs, their access rules included.",
    actions: [`${CONTAINERS}/*`, GET_DELEGATION_KEY],
    dataActions: [`${BLOBS}/*`],
  }),
  builtIn({
    id: "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
    roleName: "Storage Blob Data Contributor",
    description: "Reads, writes and deletes containers and blobs.",
    actions: ["delete", "read", "write"]
      .map((action) => `${CONTAINERS}/${action}`)
      .concat(GET_DELEGATION_KEY),
    dataActions: ["delete", "read", "write", "move/action", "add/action"].map(
      (action) => `${BLOBS}/${action}`,
    ),
  }),
  builtIn({
    id: "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1",
    roleName: "Storage Blob Data Reader",
    description: "Reads containers and blobs.",
    actions: [`${CONTAINERS}/read`, GET_DELEGATION_KEY],
    dataActions: [`${BLOBS}/read`],
  }),
  builtIn({
    id: "17d1049b-9a84-46fb-8f53-869881c3d3ab",
    roleName: "Storage Account Contributor",
    description: "Manages storage accounts and their containers, without access to the content.",
    actions: ["Svc.Authorization/*/read", "Svc.Storage/storageAccounts/*"],
    dataActions: [],
  }),
  builtIn({
    id: "81a9662b-bebf-436f-a333-f67b29880f12",
    roleName: "Storage Account Key Operator Service Role",
    description: "Lists and regenerates the keys of storage accounts.",
    actions: ["listKeys", "regenerateKey"].map((name) => `${ACCOUNTS}/${name}/action`),
    dataActions: [],
  }),
];

type Grant = Pick<RoleDefinition, "id" | "roleName" | "description"> & {
  readonly actions: readonly string[];
  readonly dataActions: readonly string[];
};

function builtIn({ actions, dataActions, ...named }: Grant): RoleDefinition {
  return {
    ...named,
    type: "BuiltInRole",
    assignableScopes: ["/"],
    permissions: [
      { actions: [...actions], notActions: [], dataActions: [...dataActions], notDataActions: [] },
    ],
  };
}
