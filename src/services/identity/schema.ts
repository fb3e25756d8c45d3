import { Type, type Static, type TProperties } from "typebox";

const STRICT = { additionalProperties: false };
const nullableText = Type.Union([Type.String(), Type.Null()]);

/** The kinds of principals, as role assignments name them. */
const PrincipalKind = Type.Enum(["User", "Group", "ServicePrincipal"]);

export const PrincipalChanges = Type.Object(
  {
    name: Type.Optional(Type.String()),
    displayName: Type.Optional(Type.String()),
    enabled: Type.Optional(Type.Boolean()),
    password: Type.Optional(nullableText),
    redirectUris: Type.Optional(Type.Array(Type.String())),
    publicClient: Type.Optional(Type.Boolean()),
    implicitFlow: Type.Optional(Type.Boolean()),
    externalIssuer: Type.Optional(nullableText),
    externalSubject: Type.Optional(nullableText),
  },
  STRICT,
);
export type PrincipalChanges = Static<typeof PrincipalChanges>;

export const NewPrincipal = Type.Object(
  { ...PrincipalChanges.properties, kind: PrincipalKind, name: Type.String() },
  STRICT,
);
export type NewPrincipal = Static<typeof NewPrincipal>;

export const PrincipalView = Type.Object({
  id: Type.String(),
  kind: PrincipalKind,
  name: Type.String(),
  displayName: Type.String(),
  enabled: Type.Boolean(),
  createdAt: Type.String(),
  /** Users: whether they can sign in with a password. */
  hasPassword: Type.Optional(Type.Boolean()),
  /** Service principals. */
  redirectUris: Type.Optional(Type.Array(Type.String())),
  publicClient: Type.Optional(Type.Boolean()),
  implicitFlow: Type.Optional(Type.Boolean()),
  externalIssuer: Type.Optional(Type.String()),
  externalSubject: Type.Optional(Type.String()),
  /** Groups: ids of the direct members. */
  members: Type.Optional(Type.Array(Type.String())),
});
export type PrincipalView = Static<typeof PrincipalView>;

export const NewCredential = Type.Object(
  {
    description: Type.Optional(Type.String()),
    /** ISO 8601; it does not end when this is left out. */
    expiresAt: Type.Optional(Type.String()),
  },
  STRICT,
);
export type NewCredential = Static<typeof NewCredential>;

const credentialFields = {
  id: Type.String(),
  principalId: Type.String(),
  description: Type.String(),
  createdAt: Type.String(),
  expiresAt: Type.Optional(Type.String()),
};
export const CredentialView = Type.Object(credentialFields);
export type CredentialView = Static<typeof CredentialView>;

const TokenRequest = Type.Object({ principalId: Type.String(), audience: Type.String() }, STRICT);

const TokenView = Type.Object({
  token_type: Type.Literal("Bearer"),
  access_token: Type.String(),
  expires_in: Type.Integer(),
  /** Seconds since 1970. */
  expires_on: Type.Integer(),
});

const byId = Type.Object({ id: Type.String() });
const byMember = Type.Object({ id: Type.String(), memberId: Type.String() });
const byCredential = Type.Object({ id: Type.String(), credentialId: Type.String() });
const nothing = Type.Unsafe<undefined>({});

export const ListPrincipals = {
  summary: "List principals",
  querystring: Type.Object({
    kind: Type.Optional(PrincipalKind),
    name: Type.Optional(Type.String()),
  }),
  response: { 200: Type.Object({ value: Type.Array(PrincipalView) }) },
};
export const CreatePrincipal = {
  summary: "Create a principal",
  body: NewPrincipal,
  response: { 201: PrincipalView },
};
export const GetPrincipal = {
  summary: "Get a principal",
  params: byId,
  response: { 200: PrincipalView },
};
export const UpdatePrincipal = {
  summary: "Change a principal",
  params: byId,
  body: PrincipalChanges,
  response: { 200: PrincipalView },
};
export const DeletePrincipal = {
  summary: "Delete a principal",
  params: byId,
  response: { 204: nothing },
};
export const PutMember = {
  summary: "Put a principal into a group",
  params: byMember,
  response: { 204: nothing },
};
export const DeleteMember = { ...PutMember, summary: "Take a principal out of a group" };

export const ListCredentials = {
  summary: "List a principal's credentials of this kind, without what is secret",
  params: byId,
  response: { 200: Type.Object({ value: Type.Array(CredentialView) }) },
};
/** `field` is what the secret is called in the one answer that holds it. */
export function createCredentialSchema(field: TProperties) {
  return {
    summary: "Create a credential; it is shown in this answer and never again",
    params: byId,
    body: NewCredential,
    response: { 201: Type.Object({ ...credentialFields, ...field }) },
  };
}
export const DeleteCredential = {
  summary: "Delete a credential, which ends at once",
  params: byCredential,
  response: { 204: nothing },
};
export const CreateToken = {
  summary: "Make a token for a principal",
  body: TokenRequest,
  response: { 200: TokenView },
};
export const RotateKeys = {
  summary: "Publish a new signing key, which signs after a while",
  response: { 200: Type.Object({ kid: Type.String(), signsFrom: Type.String() }) },
};
