import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { FORM_LIFETIME_S } from "./form-guard.ts";
import { SESSION_LIFETIME_S } from "./sessions.ts";

const SESSION = "atoll_session";
const FORM = "atoll_form";
const LIFETIME_S = { [SESSION]: SESSION_LIFETIME_S, [FORM]: FORM_LIFETIME_S };

type CookieName = keyof typeof LIFETIME_S;
type Needs = Pick<Context, "isSecure">;

export function sessionCookie(request: FastifyRequest): string | undefined {
  return readCookie(request, SESSION);
}

export function formCookie(request: FastifyRequest): string | undefined {
  return readCookie(request, FORM);
}

/** Undefined takes the cookie away. */
export function setSessionCookie(context: Needs, reply: FastifyReply, value?: string): void {
  setCookie(context, reply, SESSION, value);
}

export function setFormCookie(context: Needs, reply: FastifyReply, value?: string): void {
  setCookie(context, reply, FORM, value);
}

function setCookie(
  { isSecure }: Needs,
  reply: FastifyReply,
  name: CookieName,
  value: string | undefined,
): void {
  const age = value === undefined ? 0 : LIFETIME_S[name];
  const parts = [`${name}=${value ?? ""}`, "Path=/", `Max-Age=${age}`, "HttpOnly", "SameSite=Lax"];
  if (isSecure) parts.push("Secure");
  reply.header("set-cookie", parts.join("; "));
}

function readCookie(request: FastifyRequest, name: CookieName): string | undefined {
  for (const pair of (request.headers.cookie ?? "").split(";")) {
    const [key = "", value = ""] = pair.split("=", 2);
    if (key.trim() === name) return value.trim() || undefined;
  }
  return undefined;
}
