import { html } from "./html.ts";
import { hidden } from "./login-page.ts";
import type { Page } from "./page.ts";

const SUBMIT = "document.forms[0].submit();";

/** An answer that travels in a form (OAuth 2.0 Form Post Response Mode). */
export function formPostPage(redirectUri: string, fields: ReadonlyMap<string, string>): Page {
  const inputs = [...fields].map(([name, value]) => hidden(name, value) ?? html``);
  return {
    title: "Continue",
    formTargets: URL.canParse(redirectUri) ? [new URL(redirectUri).origin] : [],
    script: SUBMIT,
    body: html`<h1>One moment</h1>
      <p class="quiet">You are sent back to the application.</p>
      <form method="post" action="${redirectUri}">
        ${inputs}
        <noscript><button type="submit">Continue</button></noscript>
      </form>`,
  };
}
