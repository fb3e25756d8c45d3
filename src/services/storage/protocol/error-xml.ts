import type { FastifyReply, FastifyRequest } from "fastify";
import { toProblem } from "#platform/http/app.ts";
import { headerIn, nameIn } from "#platform/http/dialect.ts";
import { SINCE } from "./versions.ts";

/** Part of the body: clients of the protocol have always seen it. */
const BYTE_ORDER_MARK = "\uFEFF";
const REASON_LENGTH_MAX = 256;

/** Answers a refusal as the protocol does: XML after the code, nothing but headers to a HEAD. */
export function refuseAsXml(now: () => Date) {
  return function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const problem = toProblem(error);
    const { statusCode, code, detail } = problem;
    const message = inDialect(request, problem.message);
    reply.code(statusCode).headers(detail.headers ?? {});
    const version = request.blobVersion;
    if (version !== "") reply.header("x-svc-version", version);
    if (version === "" || version >= SINCE.errorCodeHeader) reply.header("x-svc-error-code", code);
    // The only place for the sentence in an answer to HEAD.
    reply.raw.statusMessage = message.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, REASON_LENGTH_MAX);
    if (request.method === "HEAD" || statusCode === 304) return reply.send();
    const fields = Object.entries(detail.fields ?? {}).map(([name, value]) => {
      const shown = name === "HeaderName" ? headerIn(request.dialect, value) : value;
      return [name, inDialect(request, shown)] as const;
    });
    const xml = errorXml(
      code,
      `${message}\nRequestId:${request.id}\nTime:${timeOf(now())}`,
      fields,
    );
    return reply.type("application/xml").send(xml);
  };
}

/** UTC with seven digits after the second, of which the clock gives three. */
function timeOf(date: Date): string {
  return date.toISOString().replace("Z", "0000Z");
}

/** Names within a sentence as the caller knows them. */
function inDialect({ dialect }: FastifyRequest, text: string): string {
  return nameIn(
    dialect,
    text.replaceAll(/x-svc-[a-z0-9-]+/g, (name) => headerIn(dialect, name)),
  );
}

function errorXml(
  code: string,
  message: string,
  fields: readonly (readonly [string, string])[],
): string {
  const elements = [["Code", code] as const, ["Message", message] as const, ...fields];
  const body = elements.map(([name, value]) => `<${name}>${escaped(value)}</${name}>`).join("");
  return `${BYTE_ORDER_MARK}<?xml version="1.0" encoding="utf-8"?><Error>${body}</Error>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD]/g, "\uFFFD");
}
