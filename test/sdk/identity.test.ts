import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, suite, test } from "node:test";
import { createRemoteJWKSet, jwtVerify } from "jose";
import * as client from "openid-client";
import { startAtollProcess, type AtollProcess } from "../support/atoll-process.ts";

const CALLBACK = "http://127.0.0.1:7421/callback";
const POLL_TIMEOUT_MS = 30_000;
/** Over plain HTTP, which this client has to be told to put up with. */
const INSECURE = { execute: [client.allowInsecureRequests] };

suite("openid-client", () => {
  let atoll: AtollProcess;
  before(async () => {
    atoll = await startAtollProcess();
  });
  after(() => atoll.stop());

  function issuers(): URL[] {
    const { auth_url, tenant_id } = atoll.endpoints;
    return ["", `/${tenant_id}`, `/${tenant_id}/v2.0`].map((path) => new URL(auth_url + path));
  }

  async function development(issuer = issuers()[0], secret = client.ClientSecretPost) {
    const { client_id, client_secret } = atoll.endpoints.credentials.client;
    assert.ok(issuer !== undefined);
    return client.discovery(issuer, client_id, undefined, secret(client_secret), INSECURE);
  }

  async function publicClient(name: string) {
    const issuer = issuers()[2];
    assert.ok(issuer !== undefined);
    return client.discovery(issuer, name, undefined, client.None(), INSECURE);
  }

  /** Opens the address, signs in where that is asked for, and returns where it leads. */
  async function visit(address: URL): Promise<URL> {
    const browser = plainBrowser();
    const { username, password } = atoll.endpoints.credentials.admin;
    const page = await browser.open(address);
    assert.match(page, /type="password"/);
    const left = await browser.submit({ username, password });
    assert.ok(left instanceof URL, "The browser is still at the server.");
    return left;
  }

  test("discovers each issuer and gets tokens that its keys verify", async () => {
    const { gateway } = atoll.endpoints;
    for (const issuer of issuers()) {
      for (const secret of [client.ClientSecretPost, client.ClientSecretBasic]) {
        const config = await development(issuer, secret);
        const metadata = config.serverMetadata();
        const tokens = await client.clientCredentialsGrant(config, {
          scope: `${gateway}/.default`,
        });
        const keys = createRemoteJWKSet(new URL(String(metadata.jwks_uri)));
        const checks = { issuer: metadata.issuer, audience: gateway, algorithms: ["RS256"] };
        const { payload } = await jwtVerify(tokens.access_token, keys, checks);
        assert.equal(payload["oid"], atoll.endpoints.credentials.client.client_id);
      }
    }
  });

  test("signs a user in by a code with its proof, refreshes, and asks who it is", async () => {
    for (const issuer of issuers()) {
      const config = await development(issuer);
      const pkceCodeVerifier = client.randomPKCECodeVerifier();
      const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: CALLBACK,
        scope: `openid profile offline_access ${atoll.endpoints.gateway}/user_impersonation`,
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
        state: expectedState,
        nonce: expectedNonce,
      });
      const back = await visit(address);
      const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
      const tokens = await client.authorizationCodeGrant(config, back, checks);
      const subject = tokens.claims()?.sub ?? "";
      const info = await client.fetchUserInfo(config, tokens.access_token, subject);
      assert.equal(info.preferred_username, atoll.endpoints.credentials.admin.username);
      const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
      assert.equal(renewed.claims()?.sub, subject);
      assert.notEqual(renewed.refresh_token, tokens.refresh_token);
      const used = client.authorizationCodeGrant(config, back, checks);
      await assert.rejects(used, { error: "invalid_grant" });
    }
  });

  test("signs a user in implicitly, with the id token and the token checked", async () => {
    const config = await development();
    client.useIdTokenResponseType(config);
    const nonce = client.randomNonce();
    const parameters = { redirect_uri: CALLBACK, scope: "openid", nonce };
    const only = await visit(client.buildAuthorizationUrl(config, parameters));
    const claims = await client.implicitAuthentication(config, only, nonce);
    const address = client.buildAuthorizationUrl(config, { ...parameters, state: "s+ &" });
    address.searchParams.set("response_type", "id_token token");
    address.searchParams.set("resource", atoll.endpoints.gateway);
    const sent = new URLSearchParams((await visit(address)).hash.slice(1));
    const { jwks_uri, issuer } = config.serverMetadata();
    const keys = createRemoteJWKSet(new URL(String(jwks_uri)));
    const { client_id: audience } = atoll.endpoints.credentials.client;
    const { payload } = await jwtVerify(sent.get("id_token") ?? "", keys, { issuer, audience });
    const hash = createHash("sha256")
      .update(sent.get("access_token") ?? "")
      .digest();
    assert.equal(payload["at_hash"], hash.subarray(0, 16).toString("base64url"));
    assert.deepEqual([payload.sub, payload["nonce"]], [claims.sub, nonce]);
    assert.deepEqual([sent.get("token_type"), sent.get("state")], ["Bearer", "s+ &"]);
    const url = `${atoll.endpoints.gateway}/admin/principals`;
    const headers = { authorization: `Bearer ${sent.get("access_token") ?? ""}` };
    assert.equal((await fetch(url, { headers })).status, 200);
  });

  test("signs a user in on a device that has no browser", async () => {
    const config = await publicClient("atoll-cli");
    const scope = `openid ${atoll.endpoints.gateway}/.default`;
    const device = await client.initiateDeviceAuthorization(config, { scope });
    const browser = plainBrowser();
    await browser.open(new URL(device.verification_uri));
    const { username, password } = atoll.endpoints.credentials.admin;
    await browser.submit({ username, password });
    await browser.submit({ user_code: device.user_code });
    await browser.submit({ action: "allow" });
    const signal = AbortSignal.timeout(POLL_TIMEOUT_MS);
    const tokens = await client.pollDeviceAuthorizationGrant(config, device, undefined, { signal });
    assert.equal(tokens.claims()?.["preferred_username"], username);
  });

  test("is told in the protocol's words what is wrong", async () => {
    const config = await development();
    const wrong = client.clientCredentialsGrant(config, {
      scope: "https://elsewhere.test/.default",
    });
    await assert.rejects(wrong, { error: "invalid_scope", status: 400 });
    const open = client.clientCredentialsGrant(await publicClient("atoll-cli"));
    await assert.rejects(open, { error: "unauthorized_client", status: 400 });
  });
});

/** A browser without JavaScript: cookies, redirects within the server, and forms. */
function plainBrowser() {
  const cookies = new Map<string, string>();
  let at = new URL("http://nowhere.invalid");
  let page = "";

  /** The page, or the address at which it leaves the server. */
  async function go(address: URL, init: RequestInit = {}): Promise<URL | string> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(address, { ...init, redirect: "manual", headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const split = pair.indexOf("=");
      cookies.set(pair.slice(0, split), pair.slice(split + 1));
    }
    page = await answer.text();
    at = address;
    const location = answer.headers.get("location");
    if (location === null) return page;
    const next = new URL(location, address);
    return next.origin === address.origin ? go(next) : next;
  }

  return {
    async open(address: URL): Promise<string> {
      const shown = await go(address);
      assert.equal(typeof shown, "string", "The browser was sent away at once.");
      return String(shown);
    },
    async submit(filled: Readonly<Record<string, string>>): Promise<URL | string> {
      const body = new URLSearchParams();
      for (const [, name = "", value = ""] of page.matchAll(
        /<input\s+type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g,
      )) {
        body.set(name, value.replaceAll("&amp;", "&"));
      }
      for (const [name, value] of Object.entries(filled)) body.set(name, value);
      const action = /<form[^>]*action="([^"]*)"/.exec(page)?.[1] ?? "";
      return go(new URL(action, at), { method: "POST", body });
    },
  };
}
