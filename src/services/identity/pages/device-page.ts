import { html } from "./html.ts";
import { alertOf } from "./login-page.ts";
import type { Page } from "./page.ts";

export interface DeviceForm {
  readonly formToken: string;
  readonly userCode: string;
  readonly error: string | undefined;
}

/** Asks for the code that a device shows. */
export function deviceCodePage({ formToken, userCode, error }: DeviceForm): Page {
  const invalid =
    error === undefined ? undefined : html`aria-invalid="true" aria-describedby="error"`;
  return {
    title: error === undefined ? "Connect a device" : "Error: Connect a device",
    body: html`<h1>Connect a device</h1>
      <p class="quiet">Enter the code that your device or your terminal shows.</p>
      ${alertOf(error)}
      <form method="post" action="/device">
        <input type="hidden" name="form_token" value="${formToken}" />
        <div class="field">
          <label for="user_code">Code</label>
          <input
            id="user_code"
            class="code"
            name="user_code"
            value="${userCode}"
            autocomplete="off"
            autocapitalize="characters"
            spellcheck="false"
            maxlength="16"
            required
            autofocus
            ${invalid}
          />
        </div>
        <div class="actions"><button type="submit">Continue</button></div>
      </form>`,
  };
}

export interface DeviceQuestion {
  readonly formToken: string;
  readonly userCode: string;
  readonly application: string;
  readonly username: string;
}

/** Asks before anything is given away: somebody else may have sent the code. */
export function deviceQuestionPage(question: DeviceQuestion): Page {
  const { application, formToken, userCode, username } = question;
  return {
    title: "Allow this device?",
    body: html`<h1>Allow this device?</h1>
      <p class="quiet">
        <strong>${application}</strong> asks to act as <strong>${username}</strong>. Continue only
        if you have started it yourself and it shows this code:
      </p>
      <p class="userCode">${userCode}</p>
      <form method="post" action="/device">
        <input type="hidden" name="form_token" value="${formToken}" />
        <input type="hidden" name="user_code" value="${userCode}" />
        <div class="actions">
          <button type="submit" name="action" value="allow">Allow</button>
          <button type="submit" name="action" value="deny" class="second">Refuse</button>
        </div>
      </form>`,
  };
}
