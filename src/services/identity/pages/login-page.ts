import { html, type Html } from "./html.ts";
import type { Page } from "./page.ts";

export interface LoginForm {
  readonly formToken: string;
  readonly returnTo: string | undefined;
  /** Who the user signs in to: the name of an application. */
  readonly application: string | undefined;
  readonly username: string;
  readonly error: string | undefined;
  readonly formTargets: readonly string[];
}

export function loginPage(form: LoginForm): Page {
  const { application, error, formTargets, formToken, returnTo, username } = form;
  const invalid = error === undefined ? undefined : INVALID;
  return {
    title: error === undefined ? "Sign in" : "Error: Sign in",
    formTargets,
    body: html`<h1>Sign in</h1>
      ${
        application === undefined
          ? html`<p class="quiet">Use your Atoll account.</p>`
          : html`<p class="quiet">to continue to <strong>${application}</strong></p>`
      }
      ${alertOf(error)}
      <form method="post" action="/login">
        <input type="hidden" name="form_token" value="${formToken}" />
        ${hidden("return_to", returnTo)}
        <div class="field">
          <label for="username">Username</label>
          <input
            id="username"
            name="username"
            value="${username}"
            autocomplete="username"
            autocapitalize="none"
            spellcheck="false"
            required
            ${username === "" ? AUTOFOCUS : undefined}
            ${invalid}
          />
        </div>
        <div class="field">
          <label for="password">Password</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            required
            ${username === "" ? undefined : AUTOFOCUS}
            ${invalid}
          />
        </div>
        <div class="actions">
          <button type="submit">Sign in</button>
          ${returnTo === undefined ? undefined : CANCEL}
        </div>
      </form>`,
  };
}

export function signedInPage(username: string, formToken: string): Page {
  return {
    title: "Signed in",
    body: html`<h1>Signed in</h1>
      <p class="quiet">You are signed in as <strong>${username}</strong>.</p>
      <form method="post" action="/logout">
        <input type="hidden" name="form_token" value="${formToken}" />
        <div class="actions"><button type="submit" class="second">Sign out</button></div>
      </form>`,
  };
}

/** What went wrong, read out at once by a screen reader. */
export function alertOf(error: string | undefined): Html | undefined {
  if (error === undefined) return undefined;
  return html`<p class="error" role="alert" id="error">${error}</p>`;
}

export function hidden(name: string, value: string | undefined) {
  if (value === undefined) return undefined;
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}

const INVALID = html`aria-invalid="true" aria-describedby="error"`;
const AUTOFOCUS = html`autofocus`;
const CANCEL = html`<button
  type="submit"
  class="second"
  name="action"
  value="cancel"
  formnovalidate
>
  Cancel
</button>`;
