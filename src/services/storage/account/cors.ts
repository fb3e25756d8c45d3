import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "#platform/problem.ts";
import type { Context } from "../context.ts";
import { headerValue, requiredHeader } from "../protocol/header-values.ts";
import { childOf } from "../protocol/xml-body.ts";
import { corsRules, headersIn, ruleFor, type CorsRule } from "./cors-rules.ts";
import { serviceProperties } from "./service-properties.ts";

/** `OPTIONS`: whether a browser may send what it is about to send. Nobody is asked who they are. */
export async function answerPreflight(
  context: Context,
  account: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers } = request;
  const origin = requiredHeader(headers, "origin");
  const method = requiredHeader(headers, "access-control-request-method");
  const wanted = headerValue(headers, "access-control-request-headers") ?? "";
  const asked = wanted
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const rules = await rulesOf(context, account);
  const rule = ruleFor(rules, { origin, method, headers: asked });
  if (rule === undefined) {
    const said =
      `No CORS rule of the account allows ${method} with the headers "${wanted}" from the ` +
      `origin ${origin}.`;
    throw new Problem(403, "CorsPreflightFailure", said);
  }
  allowOrigin(reply, rule, origin);
  reply.header("access-control-allow-methods", method);
  reply.header("access-control-max-age", String(rule.maxAge));
  if (asked.length > 0) reply.header("access-control-allow-headers", asked.join(","));
  return reply.code(200).send();
}

/** Tells the browser whether the script that has sent a request may see the answer. */
export async function allowCrossOrigin(
  context: Context,
  account: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { origin } = request.headers;
  if (origin === undefined) return;
  const rules = await rulesOf(context, account);
  const { method, dialect } = request;
  const rule = ruleFor(rules, { origin, method, headers: [] });
  if (rule !== undefined) {
    allowOrigin(reply, rule, origin);
    const exposed = headersIn(dialect, rule.exposed);
    if (exposed !== "") reply.header("access-control-expose-headers", exposed);
  } else if (rules.length > 0) {
    reply.header("vary", "Origin");
  }
}

function allowOrigin(reply: FastifyReply, { origins }: CorsRule, origin: string): void {
  if (origins.includes("*")) {
    reply.header("access-control-allow-origin", "*");
    return;
  }
  reply.header("access-control-allow-origin", origin).header("vary", "Origin");
  reply.header("access-control-allow-credentials", "true");
}

async function rulesOf(context: Context, account: string): Promise<readonly CorsRule[]> {
  const section = childOf(await serviceProperties(context, account), "Cors");
  return section === undefined ? [] : corsRules(section);
}
