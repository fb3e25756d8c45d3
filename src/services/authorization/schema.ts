import { Type, type Static } from "typebox";

const PATTERNS_MAX = 200;
const PATTERN_LENGTH_MAX = 256;
const NAME_LENGTH_MAX = 128;
const DESCRIPTION_LENGTH_MAX = 2048;
const PERMISSIONS_MAX = 20;
const SCOPES_MAX = 100;
const ID_LENGTH_MAX = 2048;

const text = Type.Union([Type.String({ maxLength: DESCRIPTION_LENGTH_MAX }), Type.Null()]);
const id = Type.String({ minLength: 1, maxLength: ID_LENGTH_MAX });

export const RoleAssignmentRequest = Type.Object({
  principalObjectId: id,
  principalType: Type.Enum(["User", "Group", "ServicePrincipal", "Unknown"]),
  /** The definition's UUID, a path that ends in it, or the role's name. */
  roleDefinitionId: id,
  scope: Type.String({ minLength: 1 }),
});
export type RoleAssignmentRequest = Static<typeof RoleAssignmentRequest>;

const GrantedRole = Type.Object({
  permissions: Type.Array(Type.String()),
  roleDefinitionId: Type.String(),
  roleDefinitionName: Type.String(),
});

const version = Type.Object({ "api-version": Type.String() });
const versionAndFilter = Type.Object({
  "api-version": Type.String(),
  $filter: Type.Optional(Type.String()),
});
const byId = Type.Object({ id: Type.String() });
const scoped = Type.Object({ scope: Type.String() });
const scopedById = Type.Object({ scope: Type.String(), id: Type.String() });

/** An assignment as the native list shows it. */
const RoleAssignment = Type.Object({
  id: Type.String(),
  principalObjectId: Type.String(),
  principalType: Type.String(),
  roleDefinitionId: Type.String(),
  roleDefinitionName: Type.String(),
  scope: Type.String(),
  description: Type.String(),
  createdOn: Type.String(),
  createdBy: Type.String(),
});

const patterns = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: PATTERN_LENGTH_MAX }), {
    maxItems: PATTERNS_MAX,
  }),
);

const PermissionRequest = Type.Object({
  actions: patterns,
  notActions: patterns,
  dataActions: patterns,
  notDataActions: patterns,
});
export type PermissionRequest = Static<typeof PermissionRequest>;

export const RoleDefinitionRequest = Type.Object({
  roleName: Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX }),
  description: Type.Optional(text),
  /** What every definition made here is. */
  type: Type.Optional(Type.Enum(["CustomRole"])),
  assignableScopes: Type.Array(Type.String({ minLength: 1 }), {
    minItems: 1,
    maxItems: SCOPES_MAX,
  }),
  permissions: Type.Array(PermissionRequest, { minItems: 1, maxItems: PERMISSIONS_MAX }),
});
export type RoleDefinitionRequest = Static<typeof RoleDefinitionRequest>;

export const CreateAssignment = {
  summary: "Grants a role to a principal at a scope",
  querystring: version,
  body: RoleAssignmentRequest,
  response: { 201: Type.Object({ value: Type.Array(GrantedRole) }) },
};
export const DeleteAssignment = {
  summary: "Takes a grant back",
  querystring: version,
  params: byId,
};
export const GetAssignment = {
  summary: "One role assignment",
  querystring: version,
  params: byId,
  response: { 200: RoleAssignment },
};
export const ListAssignments = {
  summary: "The role assignments that the caller may read",
  querystring: versionAndFilter,
  response: { 200: Type.Object({ value: Type.Array(RoleAssignment) }) },
};
export const ListDefinitions = { summary: "Role definitions", querystring: versionAndFilter };
export const GetDefinition = {
  summary: "One role definition",
  querystring: version,
  params: byId,
};
export const PutDefinition = {
  summary: "Creates or replaces a custom role",
  querystring: version,
  params: byId,
  body: RoleDefinitionRequest,
};
export const DeleteDefinition = {
  summary: "Removes a custom role",
  querystring: version,
  params: byId,
};

/** The resource-scoped interface wraps the same fields in `properties`. */
const ScopedAssignmentProperties = Type.Object({
  principalId: id,
  principalType: Type.Optional(RoleAssignmentRequest.properties.principalType),
  roleDefinitionId: id,
  description: Type.Optional(text),
  condition: Type.Optional(text),
  delegatedManagedIdentityResourceId: Type.Optional(text),
});
export type ScopedAssignmentProperties = Static<typeof ScopedAssignmentProperties>;
export const ScopedPutAssignment = {
  querystring: version,
  params: scopedById,
  body: Type.Object({ properties: ScopedAssignmentProperties }),
};
export const ScopedPutDefinition = {
  querystring: version,
  params: scopedById,
  body: Type.Object({ properties: RoleDefinitionRequest }),
};
export const ScopedById = { querystring: version, params: scopedById };
export const ScopedList = { querystring: versionAndFilter, params: scoped };
