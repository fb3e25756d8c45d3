import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { requireAccess } from "#platform/auth/access.ts";
import type { Caller } from "#platform/auth/caller.ts";
import { callerOf } from "#platform/http/authenticate.ts";
import { refuseAsJson } from "#platform/http/json-envelope.ts";
import type { Context } from "../context.ts";
import {
  createCredential,
  deleteCredential,
  listCredentials,
  type Purpose,
} from "../principals/credentials.ts";
import { addMember, removeMember } from "../principals/members.ts";
import { nameKey } from "../principals/principal.ts";
import {
  createPrincipal,
  deletePrincipal,
  requirePrincipal,
  updatePrincipal,
} from "../principals/principals.ts";
import * as schema from "../schema.ts";
import { impersonate } from "./impersonate.ts";
import { takeEmptyJson } from "./json-bodies.ts";
import { viewOf, viewOfCredential } from "./views.ts";

type App = Parameters<FastifyPluginAsyncTypebox>[0];
type Right =
  | "keys/rotate/action"
  | "principals/delete"
  | "principals/impersonate/action"
  | "principals/read"
  | "principals/write";

/** Whoever sets these can make itself taken for the principal, or be sent its users' tokens. */
const IMPERSONATING = [
  "password",
  "redirectUris",
  "publicClient",
  "implicitFlow",
  "externalIssuer",
  "externalSubject",
];

/** `/admin/principals`, `/admin/tokens` and `/admin/keys`: HTTP only, parse, call, present. */
export function adminRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async function routes(app) {
    app.setErrorHandler(refuseAsJson);
    takeEmptyJson(app);
    principalRoutes(app, context);
    memberRoutes(app, context);
    credentialRoutes(app, context, { purpose: "secret", path: "secrets", field: "secret" });
    credentialRoutes(app, context, { purpose: "apiKey", path: "apiKeys", field: "key" });
    app.post("/admin/tokens", { schema: schema.CreateToken }, async (request, reply) => {
      need(context, callerOf(request), "principals/impersonate/action");
      const { principalId, audience } = request.body;
      const token = await impersonate(context, callerOf(request), principalId, audience);
      return reply.header("cache-control", "no-store").send(token);
    });
    app.post("/admin/keys/rotate", { schema: schema.RotateKeys }, async (request) => {
      need(context, callerOf(request), "keys/rotate/action");
      const { kid, signsFrom } = await context.keys.rotate();
      return { kid, signsFrom: signsFrom.toISOString() };
    });
  };
}

function principalRoutes(app: App, context: Context): void {
  const all = "/admin/principals";
  app.get(all, { schema: schema.ListPrincipals }, async (request) => {
    need(context, callerOf(request), "principals/read");
    const { kind, name } = request.query;
    const found = context.directory.all().filter((principal) => {
      const isKind = kind === undefined || principal.kind === kind;
      return isKind && (name === undefined || nameKey(principal.name) === nameKey(name));
    });
    return { value: found.map((principal) => viewOf(context, principal)) };
  });
  app.post(all, { schema: schema.CreatePrincipal }, async (request, reply) => {
    needToSet(context, callerOf(request), request.body);
    const principal = await createPrincipal(context, request.body);
    const location = `${all}/${principal.id}`;
    return reply.code(201).header("location", location).send(viewOf(context, principal));
  });
  app.get(`${all}/:id`, { schema: schema.GetPrincipal }, async (request) => {
    need(context, callerOf(request), "principals/read");
    return viewOf(context, requirePrincipal(context, request.params.id));
  });
  app.patch(`${all}/:id`, { schema: schema.UpdatePrincipal }, async (request) => {
    const { body, params } = request;
    needToSet(context, callerOf(request), body);
    return viewOf(context, await updatePrincipal(context, params.id, body));
  });
  app.delete(`${all}/:id`, { schema: schema.DeletePrincipal }, async (request, reply) => {
    need(context, callerOf(request), "principals/delete");
    const { id } = requirePrincipal(context, request.params.id);
    // First, because it refuses to take away the last owner.
    await context.principalRemoved(id);
    await deletePrincipal(context, id);
    return reply.code(204).send(undefined);
  });
}

function needToSet(context: Context, caller: Caller, body: object): void {
  need(context, caller, "principals/write");
  if (!IMPERSONATING.some((field) => field in body)) return;
  need(context, caller, "principals/impersonate/action");
}

function memberRoutes(app: App, context: Context): void {
  const member = "/admin/principals/:id/members/:memberId";
  app.put(member, { schema: schema.PutMember }, async (request, reply) => {
    // A member may do whatever the group may.
    need(context, callerOf(request), "principals/write");
    need(context, callerOf(request), "principals/impersonate/action");
    await addMember(context, request.params.id, request.params.memberId);
    return reply.code(204).send(undefined);
  });
  app.delete(member, { schema: schema.DeleteMember }, async (request, reply) => {
    need(context, callerOf(request), "principals/write");
    await removeMember(context, request.params.id, request.params.memberId);
    return reply.code(204).send(undefined);
  });
}

interface CredentialRoute {
  readonly purpose: Purpose;
  readonly path: string;
  /** What the secret is called in the one answer that holds it. */
  readonly field: string;
}

function credentialRoutes(app: App, context: Context, route: CredentialRoute): void {
  const { purpose, path, field } = route;
  const all = `/admin/principals/:id/${path}`;
  const created = schema.createCredentialSchema({ [field]: Type.String() });
  app.get(all, { schema: schema.ListCredentials }, async (request) => {
    need(context, callerOf(request), "principals/read");
    const credentials = listCredentials(context, request.params.id, purpose);
    return { value: credentials.map(viewOfCredential) };
  });
  app.post(all, { schema: created, preValidation: nothingIsEmpty }, async (request, reply) => {
    need(context, callerOf(request), "principals/write");
    need(context, callerOf(request), "principals/impersonate/action");
    const { id } = request.params;
    const { credential, secret } = await createCredential(context, id, purpose, request.body);
    reply.code(201).header("cache-control", "no-store");
    return reply.send({ ...viewOfCredential(credential), [field]: secret });
  });
  app.delete(
    `${all}/:credentialId`,
    { schema: schema.DeleteCredential },
    async (request, reply) => {
      need(context, callerOf(request), "principals/write");
      const { id, credentialId } = request.params;
      await deleteCredential(context, id, purpose, credentialId);
      return reply.code(204).send(undefined);
    },
  );
}

/** Every field may be left out, so that there need not be a body at all. */
async function nothingIsEmpty(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}

function need({ decide }: Context, caller: Caller, right: Right): void {
  requireAccess(decide, caller, { action: `Svc.Identity/${right}`, scope: "/", plane: "control" });
}
