import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer, get } from "node:https";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { AuthorityError, openLocalAuthority, type LocalAuthority } from "./local-authority.ts";
import { HostError } from "./certified-hosts.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const today = new Date("2026-06-01T12:00:00Z");

async function folder(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), "atoll-tls-")), "tls");
}

function later(days: number): () => Date {
  return () => new Date(today.getTime() + days * DAY_MS);
}

function open(dir: string, more: { hosts?: string[]; now?: () => Date } = {}) {
  return openLocalAuthority({ dir, hosts: [], now: () => today, ...more });
}

/** What a client that trusts `ca` reads from a server with this certificate. */
async function read(local: LocalAuthority, client: { ca?: string; servername?: string }) {
  const server = createServer({ key: local.key, cert: local.cert }, (_request, response) => {
    response.end("over TLS");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    return await new Promise<string>((resolve) => {
      const options = { host: "127.0.0.1", port: address.port, agent: false, ...client };
      get(options, (response) => {
        response.setEncoding("utf8").on("data", resolve);
      }).on("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    });
  } finally {
    server.close();
  }
}

suite("local certificate authority", () => {
  test("lets in clients that trust its certificate, and no others", async () => {
    const now = () => new Date();
    const local = await open(await folder(), { hosts: ["atoll.test"], now });
    const ca = await readFile(local.caFile, "utf8");
    assert.equal(await read(local, { ca }), "over TLS");
    assert.equal(await read(local, { ca, servername: "localhost" }), "over TLS");
    assert.equal(await read(local, { ca, servername: "atoll.test" }), "over TLS");
    assert.equal(await read(local, {}), "UNABLE_TO_VERIFY_LEAF_SIGNATURE");
    const wrongName = await read(local, { ca, servername: "other.test" });
    assert.equal(wrongName, "ERR_TLS_CERT_ALTNAME_INVALID");
  });

  test("certifies this machine and the hosts asked for, for at most 397 days", async () => {
    const local = await open(await folder(), { hosts: ["[FD00::1]", "Bücher.test", "0.0.0.0"] });
    const server = new X509Certificate(local.cert);
    const names = new Set((server.subjectAltName ?? "").split(", "));
    const wanted = [
      "DNS:localhost",
      "DNS:*.localhost",
      "DNS:xn--bcher-kva.test",
      "IP Address:127.0.0.1",
      "IP Address:0:0:0:0:0:0:0:1",
      "IP Address:FD00:0:0:0:0:0:0:1",
      `DNS:${hostname().toLowerCase()}`,
    ];
    assert.deepEqual(names, new Set(wanted));
    assert.deepEqual([server.ca, server.keyUsage], [false, ["1.3.6.1.5.5.7.3.1"]]);
    const lifetime = server.validToDate.getTime() - server.validFromDate.getTime();
    assert.equal(lifetime, 397 * DAY_MS);
  });

  test("is an authority of ten years whose key only the owner reads", async () => {
    const dir = await folder();
    const { caFile } = await open(dir);
    const authority = new X509Certificate(await readFile(caFile));
    assert.equal(authority.ca, true);
    assert.equal(authority.verify(authority.publicKey), true);
    assert.equal(authority.validToDate.toISOString(), "2036-05-30T12:00:00.000Z");
    const modes = ["ca.key", "ca.pem", "server.key", "server.pem"].map(async (name) => {
      return ((await stat(join(dir, name))).mode & 0o777).toString(8);
    });
    assert.deepEqual(await Promise.all(modes), ["600", "644", "600", "644"]);
    assert.equal((await readdir(dir)).length, 4);
  });

  test("keeps the certificate until 30 days before its end, the authority longer", async () => {
    const dir = await folder();
    const first = await open(dir);
    const ca = await readFile(first.caFile, "utf8");
    assert.deepEqual(await open(dir, { now: later(365) }), first);
    const second = await open(dir, { now: later(367) });
    assert.notEqual(second.cert, first.cert);
    assert.equal(second.key, first.key);
    assert.equal(await readFile(second.caFile, "utf8"), ca);
    const inItsLastYear = await open(dir, { now: later(3600) });
    const end = new X509Certificate(inItsLastYear.cert).validToDate.toISOString();
    assert.equal(end, "2036-05-30T12:00:00.000Z");
  });

  test("issues the certificate anew for other hosts, and not for another order", async () => {
    const dir = await folder();
    const first = await open(dir, { hosts: ["a.test", "b.test"] });
    assert.deepEqual(await open(dir, { hosts: ["B.test", "a.test", "::1"] }), first);
    const other = await open(dir, { hosts: ["a.test"] });
    assert.notEqual(other.cert, first.cert);
    assert.equal(new X509Certificate(other.cert).checkHost("b.test"), undefined);
  });

  test("gives processes that start together one authority", async () => {
    const dir = await folder();
    const all = await Promise.all(Array.from({ length: 6 }, () => open(dir)));
    const authority = new X509Certificate(await readFile(join(dir, "ca.pem")));
    for (const { key, cert } of all) {
      const server = new X509Certificate(cert);
      assert.equal(server.verify(authority.publicKey), true);
      assert.equal(key, all[0]?.key);
    }
    assert.equal((await readdir(dir)).length, 4);
  });

  test("completes what a crash between two files left", async () => {
    const dir = await folder();
    const other = await folder();
    await open(dir);
    const first = await open(other);
    await writeFile(join(other, "server.pem"), "");
    const again = await open(other);
    assert.equal(again.key, first.key);
    assert.notEqual(again.cert, "");
  });

  test("says what to do about foreign, damaged and ended files", async () => {
    const dir = await folder();
    const other = await folder();
    const { caFile } = await open(dir);
    const foreign = await open(other);
    const ended = { name: "AuthorityError", message: /ended on .* Remove the folder/ };
    await assert.rejects(open(dir, { now: later(3660) }), ended);
    await writeFile(caFile, await readFile(foreign.caFile));
    await assert.rejects(open(dir), { name: "AuthorityError", message: /not the certificate of/ });
    await writeFile(join(dir, "ca.key"), "nonsense");
    await assert.rejects(open(dir), (error) => {
      return error instanceof AuthorityError && error.message.includes("is not a private key");
    });
  });

  test("refuses what is no host, before it makes a file", async () => {
    const dir = await folder();
    await assert.rejects(open(dir, { hosts: ["no host, DNS:evil.test"] }), HostError);
    await assert.rejects(stat(dir), { code: "ENOENT" });
  });
});
