import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import { toProblem } from "#platform/http/app.ts";
import type { Context } from "../context.ts";
import { sentForm } from "../forms.ts";
import { authorize, refuseAuthorize } from "../oauth/authorize.ts";
import { requireIssuer, VERSIONS } from "../oauth/routes.ts";
import { signedInPage } from "../pages/login-page.ts";
import { guarded, messagePage, sendPage } from "../pages/page.ts";
import { formCookie, sessionCookie, setFormCookie, setSessionCookie } from "./cookies.ts";
import { deviceRoutes } from "./device-routes.ts";
import { checkPassword } from "./sign-in.ts";
import { DEVICE, localReturn, pathOf } from "./return-to.ts";
import { endSession, findSession, startSession } from "./sessions.ts";
import { showLogin } from "./show-login.ts";

type App = Parameters<FastifyPluginAsyncTypebox>[0];

const ANONYMOUS = { config: { access: "anonymous" } } as const;
const STALE = "The form was open for too long or was sent twice. Please try again.";

/** What people see: the authorization endpoint and its pages. They work without JavaScript. */
export function loginRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async function routes(app) {
    app.setErrorHandler(refuseAsPage);
    authorizeRoutes(app, context);
    app.get("/login", ANONYMOUS, (request, reply) => getLogin(context, request, reply));
    app.post("/login", ANONYMOUS, (request, reply) => postLogin(context, request, reply));
    app.get("/logout", ANONYMOUS, (request, reply) => getLogin(context, request, reply));
    app.post("/logout", ANONYMOUS, (request, reply) => postLogout(context, request, reply));
    deviceRoutes(app, context);
  };
}

function authorizeRoutes(app: App, context: Context): void {
  for (const { base, isV2 } of VERSIONS) {
    const path = `${base}/authorize`;
    app.get(path, ANONYMOUS, (request, reply) => {
      const issuer = requireIssuer(context, request, isV2);
      return authorize(context, issuer, { request, reply, url: urlOf(request) });
    });
    // A browser sends no session cookie with a form of another site: it comes back with GET.
    app.post(path, ANONYMOUS, async (request, reply) => {
      requireIssuer(context, request, isV2);
      const url = urlOf(request);
      url.search = sentForm(request).toString();
      return guarded(reply).redirect(pathOf(url), 303);
    });
  }
}

async function getLogin(context: Context, request: FastifyRequest, reply: FastifyReply) {
  const returnTo = localReturn(urlOf(request).searchParams.get("return_to") ?? undefined);
  const session = await findSession(context, sessionCookie(request));
  if (session === undefined || returnTo !== undefined) {
    return showLogin(context, request, reply, { status: 200, returnTo, username: "" });
  }
  const { cookie, token } = context.forms.issue(formCookie(request));
  setFormCookie(context, reply, cookie);
  return sendPage(reply, 200, signedInPage(session.user.name, token));
}

async function postLogin(context: Context, request: FastifyRequest, reply: FastifyReply) {
  const form = sentForm(request);
  const returnTo = localReturn(form.get("return_to") ?? undefined);
  const username = form.get("username") ?? "";
  if (!context.forms.accepts(formCookie(request), form.get("form_token") ?? undefined)) {
    return showLogin(context, request, reply, { status: 403, returnTo, username, error: STALE });
  }
  if (form.get("action") === "cancel") return cancel(context, request, reply, returnTo);
  const password = form.get("password") ?? "";
  const outcome = await checkPassword(context, { username, password, address: request.ip });
  if ("error" in outcome) {
    const { status, error, headers } = outcome;
    reply.headers(headers);
    return showLogin(context, request, reply, { status, returnTo, username, error });
  }
  const secret = await startSession(context, outcome.user, sessionCookie(request));
  context.forms.spend(formCookie(request));
  setSessionCookie(context, reply, secret);
  setFormCookie(context, reply);
  return guarded(reply).redirect(returnTo === undefined ? "/login" : pathOf(returnTo), 303);
}

async function cancel(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  returnTo: URL | undefined,
) {
  if (returnTo === undefined || returnTo.pathname === DEVICE) {
    return sendPage(reply, 200, messagePage("Cancelled", "You were not signed in."));
  }
  return refuseAuthorize(context, { request, reply, url: returnTo });
}

async function postLogout(context: Context, request: FastifyRequest, reply: FastifyReply) {
  if (!context.forms.accepts(formCookie(request), sentForm(request).get("form_token") ?? "")) {
    return sendPage(reply, 403, messagePage("Not signed out", STALE));
  }
  await endSession(context, sessionCookie(request));
  context.forms.spend(formCookie(request));
  setSessionCookie(context, reply);
  setFormCookie(context, reply);
  return sendPage(reply, 200, messagePage("Signed out", "You can close this window."));
}

function urlOf({ url }: FastifyRequest): URL {
  return new URL(url, "http://here.invalid");
}

function refuseAsPage(error: unknown, _request: FastifyRequest, reply: FastifyReply) {
  const { statusCode, message, detail } = toProblem(error);
  reply.headers(detail.headers ?? {});
  return sendPage(reply, statusCode, messagePage("This does not work", message));
}
