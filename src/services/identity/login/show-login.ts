import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { findClient } from "../oauth/clients.ts";
import { loginPage } from "../pages/login-page.ts";
import { sendPage } from "../pages/page.ts";
import { formCookie, setFormCookie } from "./cookies.ts";
import { pathOf } from "./return-to.ts";

export interface LoginView {
  readonly status: number;
  readonly returnTo: URL | undefined;
  readonly username: string;
  readonly error?: string;
}

/** Shows the sign-in form, wherever it is needed, and binds it to the browser by a cookie. */
export function showLogin(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, returnTo, username, error }: LoginView,
): FastifyReply {
  const { cookie, token } = context.forms.issue(formCookie(request));
  setFormCookie(context, reply, cookie);
  const clientId = returnTo?.searchParams.get("client_id") ?? "";
  const page = loginPage({
    formToken: token,
    returnTo: returnTo && pathOf(returnTo),
    application: findClient(context.directory, clientId)?.principal.displayName,
    username,
    error,
    // A browser applies form-action to the redirects that follow the form as well.
    formTargets: originsOf(returnTo?.searchParams.get("redirect_uri")),
  });
  return sendPage(reply, status, page);
}

function originsOf(uri: string | null | undefined): readonly string[] {
  if (uri === undefined || uri === null || !URL.canParse(uri)) return [];
  const { origin, protocol } = new URL(uri);
  return protocol === "http:" || protocol === "https:" ? [origin] : [];
}
