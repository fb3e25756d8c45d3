import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { sentForm } from "../forms.ts";
import { answerDevice, findUserCode } from "../oauth/device-codes.ts";
import { deviceCodePage, deviceQuestionPage } from "../pages/device-page.ts";
import { messagePage, sendPage } from "../pages/page.ts";
import type { Principal } from "../principals/principal.ts";
import type { DeviceRow } from "../store.ts";
import { formCookie, sessionCookie, setFormCookie } from "./cookies.ts";
import { ATTEMPTS_PER_ADDRESS_MAX } from "./rate-limit.ts";
import { DEVICE, localReturn } from "./return-to.ts";
import { findSession } from "./sessions.ts";
import { showLogin } from "./show-login.ts";
import { tooMany } from "./sign-in.ts";

const ANONYMOUS = { config: { access: "anonymous" } } as const;
const UNKNOWN = "There is no such code, or it is no longer good.";

/** Where a user enters the code of a device (RFC 8628, section 3.3). */
export function deviceRoutes(app: FastifyInstance, context: Context): void {
  app.get(DEVICE, ANONYMOUS, (request, reply) => getDevice(context, request, reply));
  app.post(DEVICE, ANONYMOUS, (request, reply) => postDevice(context, request, reply));
}

interface DeviceView {
  readonly status: number;
  readonly userCode: string;
  readonly error?: string | undefined;
}

async function getDevice(context: Context, request: FastifyRequest, reply: FastifyReply) {
  const returnTo = localReturn(request.url);
  const session = await findSession(context, sessionCookie(request));
  if (session === undefined) {
    return showLogin(context, request, reply, { status: 200, returnTo, username: "" });
  }
  // The code is filled in and not sent: the user looks at it first.
  const userCode = returnTo?.searchParams.get("user_code") ?? "";
  return ask(context, request, reply, { status: 200, userCode });
}

async function postDevice(context: Context, request: FastifyRequest, reply: FastifyReply) {
  const form = sentForm(request);
  const session = await findSession(context, sessionCookie(request));
  if (session === undefined) {
    const returnTo = localReturn(DEVICE);
    return showLogin(context, request, reply, { status: 403, returnTo, username: "" });
  }
  const userCode = form.get("user_code") ?? "";
  if (!context.forms.accepts(formCookie(request), form.get("form_token") ?? undefined)) {
    const error = "The form was open for too long. Please try again.";
    return ask(context, request, reply, { status: 403, userCode, error });
  }
  const waitS = context.attempts.attempt(`device ${request.ip}`, ATTEMPTS_PER_ADDRESS_MAX);
  if (waitS > 0) {
    const { status, error, headers } = tooMany(waitS);
    reply.headers(headers);
    return ask(context, request, reply, { status, userCode, error });
  }
  const device = await findUserCode(context, userCode);
  if (device === undefined) {
    return ask(context, request, reply, { status: 400, userCode, error: UNKNOWN });
  }
  const action = form.get("action");
  if (action === "allow" || action === "deny") {
    return conclude(context, reply, { device, action, user: session.user });
  }
  return question(context, request, reply, { device, user: session.user });
}

function ask(context: Context, request: FastifyRequest, reply: FastifyReply, view: DeviceView) {
  const { status, userCode, error } = view;
  const { cookie, token } = context.forms.issue(formCookie(request));
  setFormCookie(context, reply, cookie);
  return sendPage(reply, status, deviceCodePage({ formToken: token, userCode, error }));
}

interface Decision {
  readonly device: DeviceRow;
  readonly user: Principal;
}

function question(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { device, user }: Decision,
) {
  const { cookie, token } = context.forms.issue(formCookie(request));
  setFormCookie(context, reply, cookie);
  const page = deviceQuestionPage({
    formToken: token,
    userCode: device.userCode,
    application: context.directory.get(device.clientId)?.displayName ?? device.clientId,
    username: user.name,
  });
  return sendPage(reply, 200, page);
}

async function conclude(
  context: Context,
  reply: FastifyReply,
  { device, user, action }: Decision & { readonly action: "allow" | "deny" },
) {
  const state = action === "allow" ? "approved" : "denied";
  if (!(await answerDevice(context, device, { state, principalId: user.id }))) {
    return sendPage(reply, 400, messagePage("Not connected", UNKNOWN));
  }
  const page =
    action === "allow"
      ? messagePage("Connected", "Your device goes on by itself. You can close this window.")
      : messagePage("Refused", "The device gets nothing. You can close this window.");
  return sendPage(reply, 200, page);
}
