import type { RoleDefinition } from "#platform/auth/roles.ts";

const NOTHING = { actions: [], notActions: [], dataActions: [], notDataActions: [] };

export const OWNER_ROLE_ID = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635";

/** Roles for every service. None of them reaches data: `*` in `actions` is not `dataActions`. */
export const GENERAL_ROLES: readonly RoleDefinition[] = [
  {
    id: OWNER_ROLE_ID,
    roleName: "Owner",
    description: "Manages everything, and who may do what.",
    type: "BuiltInRole",
    assignableScopes: ["/"],
    permissions: [{ ...NOTHING, actions: ["*"] }],
  },
  {
    id: "b24988ac-6180-42a0-ab88-20f7382dd24c",
    roleName: "Contributor",
    description: "Manages everything but who may do what.",
    type: "BuiltInRole",
    assignableScopes: ["/"],
    permissions: [
      {
        ...NOTHING,
        actions: ["*"],
        // Whoever may act as another principal, or give it a secret, has that principal's roles.
        notActions: [
          "Svc.Authorization/*/delete",
          "Svc.Authorization/*/write",
          "Svc.Authorization/elevateAccess/action",
          "Svc.Identity/*/action",
          "Svc.Identity/*/delete",
          "Svc.Identity/*/write",
        ],
      },
    ],
  },
  {
    id: "acdd72a7-3385-48ef-bd42-f606fba81ae7",
    roleName: "Reader",
    description: "Sees everything and changes nothing.",
    type: "BuiltInRole",
    assignableScopes: ["/"],
    permissions: [{ ...NOTHING, actions: ["*/read"] }],
  },
  {
    id: "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9",
    roleName: "User Access Administrator",
    description: "Sees everything, and manages who may do what.",
    type: "BuiltInRole",
    assignableScopes: ["/"],
    permissions: [{ ...NOTHING, actions: ["*/read", "Svc.Authorization/*"] }],
  },
];
