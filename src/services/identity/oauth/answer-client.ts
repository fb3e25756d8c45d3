import type { FastifyReply } from "fastify";
import { formPostPage } from "../pages/form-post-page.ts";
import { guarded, sendPage } from "../pages/page.ts";
import type { ResponseMode } from "./response-type.ts";

export interface ClientAnswer {
  readonly redirectUri: string;
  readonly mode: ResponseMode;
  /** In the order in which they are written; those without a value are left out. */
  readonly fields: Readonly<Record<string, string | undefined>>;
}

/** Sends the browser back to the application, with the answer where it was asked for. */
export function answerClient(
  reply: FastifyReply,
  { redirectUri, mode, fields }: ClientAnswer,
): FastifyReply {
  const entries = Object.entries(fields).filter((entry): entry is [string, string] => {
    return entry[1] !== undefined;
  });
  if (mode === "form_post")
    return sendPage(reply, 200, formPostPage(redirectUri, new Map(entries)));
  const encoded = entries.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return guarded(reply).redirect(redirectUri + separator(redirectUri, mode) + encoded, 302);
}

function separator(redirectUri: string, mode: ResponseMode): string {
  if (mode === "fragment") return "#";
  return redirectUri.includes("?") ? "&" : "?";
}
