import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { dataFolderWith, exampleEndpoints, runCli } from "../../test/support/cli.ts";
import {
  startLoopback,
  type PlannedAnswer,
  type ReceivedRequest,
} from "../../test/support/loopback.ts";

const ID = "44444444-4444-4444-8444-444444444444";
const GROUP_ID = "55555555-5555-4555-8555-555555555555";
const jane = { id: ID, kind: "User", name: "jane", enabled: true };
const readers = { id: GROUP_ID, kind: "Group", name: "readers", enabled: true };
const app = { id: ID, kind: "ServicePrincipal", name: "app", enabled: true };

const ANSWERS: Readonly<Record<string, PlannedAnswer>> = {
  "POST /common/oauth2/token": { status: 200, body: { access_token: "t", expires_in: 1 } },
  "GET /admin/principals": { status: 200, body: { value: [jane, readers] } },
  "GET /admin/principals?kind=User": { status: 200, body: { value: [jane] } },
  "GET /admin/principals?name=jane": { status: 200, body: { value: [jane] } },
  "GET /admin/principals?name=readers": { status: 200, body: { value: [readers] } },
  "GET /admin/principals?name=both": { status: 200, body: { value: [jane, readers] } },
  [`GET /admin/principals/${ID}`]: { status: 200, body: jane },
  [`PATCH /admin/principals/${ID}`]: { status: 200, body: { ...jane, enabled: false } },
  [`DELETE /admin/principals/${ID}`]: { status: 204 },
  "POST /admin/principals": { status: 201, body: app },
  [`POST /admin/principals/${ID}/secrets`]: { status: 201, body: { id: "s1", secret: "shown" } },
  [`GET /admin/principals/${ID}/apiKeys`]: { status: 200, body: { value: [] } },
  [`DELETE /admin/principals/${ID}/apiKeys/k1`]: { status: 204 },
  [`PUT /admin/principals/${GROUP_ID}/members/${ID}`]: { status: 204 },
};

function answer({ line }: ReceivedRequest): PlannedAnswer {
  const message = "No such path.";
  return ANSWERS[line] ?? { status: 404, body: { error: { code: "NotFound", message } } };
}

/** Runs `atoll principals ...`; also resolves to the requests after the one for a token. */
async function principals(argv: readonly string[], input = "") {
  await using gateway = await startLoopback(answer);
  const { url } = gateway;
  await using folder = await dataFolderWith(exampleEndpoints({ gateway: url, auth_url: url }));
  const readInput = async () => input;
  const told = ["principals", ...argv, "--data", folder.path];
  const result = await runCli(told, { readInput });
  const requests = gateway.received
    .slice(1)
    .map(({ line, body }): unknown => (body === "" ? line : [line, JSON.parse(body)]));
  return { ...result, requests };
}

suite("atoll principals", () => {
  test("lists everybody, or one kind, as a table or JSON", async () => {
    const { out } = await principals(["list"]);
    assert.equal(
      out,
      "KIND   NAME     ID                                    ENABLED\n" +
        `User   jane     ${ID}  true\nGroup  readers  ${GROUP_ID}  true`,
    );
    const json = await principals(["list", "--kind", "user", "-o", "json"]);
    assert.deepEqual(JSON.parse(json.out), [jane]);
  });

  test("finds one by name or id, and asks which when several have the name", async () => {
    const byName = await principals(["show", "jane", "-o", "json"]);
    assert.deepEqual(JSON.parse(byName.out), jane);
    const byId = await principals(["show", ID]);
    assert.match(byId.out, /^ {2}id {7}4444/);
    const { code, err } = await principals(["remove", "both"]);
    assert.equal(code, 1);
    assert.match(err, /2 principals are named both: User 4444.*, Group 5555.* by its id\./);
  });

  test("adds a user with a password from standard input", async () => {
    const argv = ["add", "user", "jane", "--display-name", "Jane", "--password-stdin"];
    const { code, out, requests } = await principals(argv, "correct horse\n");
    assert.equal(code, 0);
    assert.doesNotMatch(out, /correct horse/);
    const body = { kind: "User", name: "jane", displayName: "Jane", password: "correct horse" };
    assert.deepEqual(requests, [["POST /admin/principals", body]]);
    const empty = await principals(argv, "\n");
    assert.equal(empty.code, 1);
    assert.deepEqual(empty.requests, []);
  });

  test("adds a service principal with a secret, or a public one without", async () => {
    const made = await principals(["add", "service-principal", "app", "-o", "json"]);
    const expected = { id: ID, name: "app", secretId: "s1", secret: "shown" };
    assert.deepEqual(JSON.parse(made.out), expected);
    const redirect = ["--redirect-uri", "http://127.0.0.1/", "http://localhost/"];
    const open = await principals(["add", "service-principal", "app", "--public", ...redirect]);
    const body = {
      kind: "ServicePrincipal",
      name: "app",
      redirectUris: redirect.slice(1),
      publicClient: true,
    };
    assert.deepEqual(open.requests, [["POST /admin/principals", body]]);
    const flags = ["--implicit", "--no-secret"];
    const implicit = await principals(["add", "service-principal", "app", ...flags]);
    const asked = { kind: "ServicePrincipal", name: "app", implicitFlow: true };
    assert.deepEqual(implicit.requests, [["POST /admin/principals", asked]]);
  });

  test("links a user to an external issuer, with both parts of the link", async () => {
    const link = ["--issuer", "https://login.test", "--subject", "7"];
    const { requests } = await principals(["add", "user", "jane", ...link]);
    const fields = { externalIssuer: "https://login.test", externalSubject: "7" };
    const body = { kind: "User", name: "jane", ...fields };
    assert.deepEqual(requests, [["POST /admin/principals", body]]);
    const half = await principals(["add", "user", "jane", "--issuer", "https://login.test"]);
    assert.match(half.err, /--issuer and --subject belong together/);
  });

  test("changes and removes", async () => {
    const changed = await principals(["update", "jane", "--disable"]);
    const body = { enabled: false };
    assert.deepEqual(changed.requests.at(-1), [`PATCH /admin/principals/${ID}`, body]);
    const nothing = await principals(["update", "jane"]);
    assert.match(nothing.err, /There is nothing to change/);
    const removed = await principals(["remove", "jane"]);
    assert.equal(removed.requests.at(-1), `DELETE /admin/principals/${ID}`);
    assert.match(removed.out, /^Removed\./);
  });

  test("keeps the members of groups, secrets and API keys", async () => {
    const member = await principals(["members", "add", "readers", "jane"]);
    assert.equal(member.requests.at(-1), `PUT /admin/principals/${GROUP_ID}/members/${ID}`);
    const secret = await principals(["secrets", "add", "jane", "--description", "for ci"]);
    const body = { description: "for ci" };
    assert.deepEqual(secret.requests.at(-1), [`POST /admin/principals/${ID}/secrets`, body]);
    assert.match(secret.out, /not shown again\.\n {2}id {6}s1\n {2}secret {2}shown/);
    const keys = await principals(["api-keys", "list", "jane"]);
    assert.equal(keys.out, "There are none.");
    const removed = await principals(["api-keys", "remove", "jane", "k1"]);
    assert.equal(removed.requests.at(-1), `DELETE /admin/principals/${ID}/apiKeys/k1`);
  });
});
