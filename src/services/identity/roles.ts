import type { RoleDefinition } from "#platform/auth/roles.ts";

/** The built-in role of this service. Whoever has it can become anybody, an owner included. */
export const identityRoles: readonly RoleDefinition[] = [
  {
    id: "5f0f2b3c-6a3b-4d53-9a0e-3e0d8f6f2a61",
    roleName: "Principal Administrator",
    description: "Manages users, groups, service principals, their credentials and signing keys.",
    type: "BuiltInRole",
    assignableScopes: ["/"],
    permissions: [
      { actions: ["Svc.Identity/*"], notActions: [], dataActions: [], notDataActions: [] },
    ],
  },
];
