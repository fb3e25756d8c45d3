/** What a role allows, as operation names in which `*` stands for any run of characters. */
export interface Permission {
  /** Operations that manage a resource. */
  readonly actions: readonly string[];
  /** Subtracted from `actions` of this permission only; another role may grant them again. */
  readonly notActions: readonly string[];
  /** Operations on the data inside a resource. */
  readonly dataActions: readonly string[];
  readonly notDataActions: readonly string[];
}

export interface RoleDefinition {
  /** UUID, lower case. */
  readonly id: string;
  readonly roleName: string;
  readonly description: string;
  readonly type: "BuiltInRole" | "CustomRole";
  /** Scopes at and below which the role may be assigned. */
  readonly assignableScopes: readonly string[];
  readonly permissions: readonly Permission[];
}
