import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { after, before, suite, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { startAtollProcess, type AtollProcess } from "./support/atoll-process.ts";
import { launchChromium } from "./support/chromium.ts";

suite("signing in with a browser that runs no JavaScript", () => {
  let atoll: AtollProcess;
  let browser: Browser;
  const application = createServer((_request, response) => response.end("the application"));

  before(async () => {
    [atoll, browser] = await Promise.all([startAtollProcess(), launchChromium()]);
    application.listen(0, "127.0.0.1");
    await once(application, "listening");
  });
  after(async () => {
    await browser.close();
    await atoll.stop();
    application.close();
  });

  /** The page to which the application sends its user for a token. */
  async function openLogin(): Promise<Page> {
    const { port } = application.address() as AddressInfo;
    const { auth_url, authorization_base_url, credentials } = atoll.endpoints;
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const query = new URLSearchParams({
      response_type: "token",
      client_id: credentials.client.client_id,
      redirect_uri: `http://127.0.0.1:${port}/callback`,
      resource: authorization_base_url,
      state: "a b&c",
    });
    await page.goto(`${auth_url}/common/oauth2/authorize?${query.toString()}`);
    return page;
  }

  async function submit(page: Page, password: string): Promise<void> {
    await page.getByLabel("Username").fill(atoll.endpoints.credentials.admin.username);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  }

  test("brings a token back to the application, in the fragment", async () => {
    const page = await openLogin();
    await submit(page, atoll.endpoints.credentials.admin.password);
    await page.getByText("the application").waitFor();
    const answer = new URLSearchParams(new URL(page.url()).hash.slice(1));
    assert.deepEqual([answer.get("token_type"), answer.get("state")], ["Bearer", "a b&c"]);
    const url = `${atoll.endpoints.gateway}/authorization/roleDefinitions`;
    const headers = { authorization: `Bearer ${answer.get("access_token")}` };
    const list = await fetch(`${url}?api-version=2022-03-01-preview`, { headers });
    assert.equal(list.status, 200);
  });

  test("says that the password is wrong, and takes the right one after that", async () => {
    const page = await openLogin();
    await submit(page, "not this one");
    assert.match(String(await page.getByRole("alert").textContent()), /not right/);
    await submit(page, atoll.endpoints.credentials.admin.password);
    await page.getByText("the application").waitFor();
  });

  test("tells the application when its user cancels", async () => {
    const page = await openLogin();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("the application").waitFor();
    assert.match(new URL(page.url()).hash, /^#error=access_denied&/);
  });
});
