import type { FastifyRequest } from "fastify";
import type { Caller } from "#platform/auth/caller.ts";
import { callerOf } from "#platform/http/authenticate.ts";
import { Problem } from "#platform/problem.ts";
import type { Actor, Context } from "./context.ts";
import { guidOf } from "./protocol/path.ts";
import { badArgument, CODES } from "./protocol/refusals.ts";

/** Both headers name the object id of a principal; with Atoll a user's row has the same id. */
const IMPERSONATION = ["callerobjectid", "mscrmcallerid"];

/** The caller, or whom the caller acts for: that one's roles count, and the caller is noted. */
export function actorOf(context: Context, request: FastifyRequest): Actor {
  const caller = callerOf(request);
  const [sent] = IMPERSONATION.flatMap((name) => request.headers[name] ?? []);
  if (sent === undefined) return { caller, userId: caller.objectId, behalfOf: undefined };
  const id = guidOf(sent);
  if (id === undefined) throw badArgument(`The impersonated user ${sent} is not a GUID.`);
  context.access.requireGeneral(caller, "impersonate");
  const principal = context.principals.find(id);
  if (principal === undefined) {
    throw new Problem(403, CODES.UserNotEnabled, `There is no user ${id} to impersonate.`);
  }
  const acting: Caller = { ...caller, objectId: id, kind: principal.kind };
  return { caller: acting, userId: id, behalfOf: caller.objectId };
}
