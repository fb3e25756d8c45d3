import type { FastifyReply } from "fastify";
import { html, type Html } from "./html.ts";
import { sourceOf, STYLE, STYLE_SOURCE } from "./style.ts";

export interface Page {
  readonly title: string;
  readonly body: Html;
  /** Origins, besides this one, that a form of the page may lead to, also by a redirect. */
  readonly formTargets?: readonly string[];
  readonly script?: string;
}

/** Sends a page that nothing can be put into, that no other page can frame and nobody keeps. */
export function sendPage(reply: FastifyReply, status: number, page: Page): FastifyReply {
  return guarded(reply)
    .code(status)
    .header("content-security-policy", policyOf(page))
    .type("text/html; charset=utf-8")
    .send(documentOf(page));
}

/** What every answer has that a browser gets from here. */
export function guarded(reply: FastifyReply): FastifyReply {
  return reply.headers({
    "cache-control": "no-store",
    pragma: "no-cache",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  });
}

export function messagePage(title: string, sentence: string): Page {
  return {
    title,
    body: html`<h1>${title}</h1>
      <p class="quiet">${sentence}</p>`,
  };
}

function policyOf({ formTargets = [], script }: Page): string {
  return [
    "default-src 'none'",
    `style-src ${STYLE_SOURCE}`,
    ...(script === undefined ? [] : [`script-src ${sourceOf(script)}`]),
    ["form-action 'self'", ...formTargets].join(" "),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function documentOf({ title, body, script }: Page): string {
  const style: Html = { markup: `<style>${STYLE}</style>` };
  const code = script === undefined ? undefined : { markup: `<script>${script}</script>` };
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · Atoll</title>
        ${style}
      </head>
      <body>
        <main>${BRAND} ${body}</main>
        ${code}
      </body>
    </html>`.markup;
}

/** A ring of land around still water. */
const BRAND = html`<p class="brand">
  <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <path
      d="M27.2 19.5A12 12 0 1 1 24.3 7.3"
      fill="none"
      stroke="currentColor"
      stroke-width="4.5"
      stroke-linecap="round"
    />
    <circle cx="27" cy="13" r="2.25" fill="currentColor" />
    <path
      d="M11 15.2q2.5-2 5 0t5 0M11 19.4q2.5-2 5 0t5 0"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
    />
  </svg>
  Atoll
</p>`;
