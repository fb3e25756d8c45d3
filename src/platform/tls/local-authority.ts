import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  X509Certificate,
  type KeyObject,
} from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { createFile, replaceFile } from "../durable-file.ts";
import { certifiedHosts, hostsOf } from "./certified-hosts.ts";
import type { Party } from "./certificates.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const AUTHORITY_DAYS = 3652;
/** Clients refuse a server's certificate that is valid for longer than 398 days. */
const SERVER_DAYS = 397;
const RENEW_BEFORE_DAYS = 30;
/** A container or a virtual machine may run a little behind the clock of its host. */
const CLOCK_SKEW_DAYS = 1;
const FINGERPRINT_HEX = 8;
const OWNER_ONLY = 0o600;
const READABLE = 0o644;

export interface LocalAuthorityOptions {
  /** Folder of `ca.pem`, `ca.key`, `server.pem` and `server.key`; made when it is missing. */
  readonly dir: string;
  /** Names and addresses to certify besides this machine's own. */
  readonly hosts: readonly string[];
  readonly now: () => Date;
}

export interface LocalAuthority {
  /** Path of the certificate that clients have to trust. */
  readonly caFile: string;
  /** The server's private key and certificate, both PEM. */
  readonly key: string;
  readonly cert: string;
}

/** A certificate or key on disk that cannot be used; the sentence says what to do. */
export class AuthorityError extends Error {
  override readonly name = "AuthorityError";
}

/**
 * Opens the certificate authority of this folder, making it at the first start, and a server
 * certificate that it signed. The authority is kept for its ten years, so that trusting it once
 * is enough; the server's certificate is issued anew 30 days before its end and for other hosts.
 */
export async function openLocalAuthority(options: LocalAuthorityOptions): Promise<LocalAuthority> {
  const { dir, now } = options;
  const hosts = certifiedHosts(options.hosts, hostname());
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const authority = await openAuthority(dir, now());
  const serverKey = await openKey(join(dir, "server.key"));
  const wanted = { key: serverKey, hosts };
  const path = join(dir, "server.pem");
  const kept = existsSync(path) ? await readFile(path, "utf8") : "";
  const cert = isStillGood(kept, authority, wanted, now())
    ? kept
    : await issueServerCertificate(path, authority, wanted, now());
  return { caFile: authority.file, key: pem(serverKey), cert };
}

interface Authority extends Party {
  readonly file: string;
  readonly certificate: X509Certificate;
}

interface Wanted {
  readonly key: KeyObject;
  readonly hosts: readonly string[];
}

async function openAuthority(dir: string, now: Date): Promise<Authority> {
  const file = join(dir, "ca.pem");
  const key = await openKey(join(dir, "ca.key"));
  // Each authority has a name of its own: a system store may hold those of several folders.
  const der = createPublicKey(key).export({ type: "spki", format: "der" });
  const fingerprint = createHash("sha256").update(der).digest("hex").slice(0, FINGERPRINT_HEX);
  const name = `Atoll local authority ${fingerprint}`;
  if (!existsSync(file)) {
    const { issueAuthority } = await import("./certificates.ts");
    const content = await issueAuthority({ name, key }, validity(now, AUTHORITY_DAYS));
    await createFile({ path: file, content, mode: READABLE });
  }
  const certificate = parse(await readFile(file, "utf8"));
  if (certificate?.checkPrivateKey(key) !== true) {
    throw new AuthorityError(
      `${file} is not the certificate of ca.key beside it. ${startOver(dir)}`,
    );
  }
  if (certificate.validToDate.getTime() <= now.getTime()) {
    throw new AuthorityError(`${file} ended on ${certificate.validTo}. ${startOver(dir)}`);
  }
  return { name, key, file, certificate };
}

function startOver(dir: string): string {
  return `Remove the folder ${dir}, start again, and trust the new ca.pem.`;
}

/** Two processes that start together agree on the key of the one that was first. */
async function openKey(path: string): Promise<KeyObject> {
  if (!existsSync(path)) {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    await createFile({ path, content: pem(privateKey), mode: OWNER_ONLY });
  }
  try {
    return createPrivateKey(await readFile(path));
  } catch (error) {
    throw new AuthorityError(
      `${path} is not a private key: restore it from a copy, or remove it.`,
      {
        cause: error,
      },
    );
  }
}

function isStillGood(kept: string, authority: Authority, wanted: Wanted, now: Date): boolean {
  const certificate = parse(kept);
  if (certificate === undefined) return false;
  const renewAt = certificate.validToDate.getTime() - RENEW_BEFORE_DAYS * DAY_MS;
  return (
    now.getTime() < renewAt &&
    now.getTime() >= certificate.validFromDate.getTime() &&
    certificate.checkPrivateKey(wanted.key) &&
    certificate.verify(authority.certificate.publicKey) &&
    hostsOf(certificate).join() === wanted.hosts.join()
  );
}

async function issueServerCertificate(
  path: string,
  authority: Authority,
  wanted: Wanted,
  now: Date,
): Promise<string> {
  const { issueServer } = await import("./certificates.ts");
  const content = await issueServer(
    authority,
    { name: "Atoll", ...wanted },
    validity(now, SERVER_DAYS, authority.certificate.validToDate),
  );
  await replaceFile({ path, content, mode: READABLE });
  return content;
}

/** `days` in all, counted from a little before `now`, and never beyond `latest`. */
function validity(now: Date, days: number, latest?: Date) {
  const start = now.getTime() - CLOCK_SKEW_DAYS * DAY_MS;
  const end = Math.min(start + days * DAY_MS, latest?.getTime() ?? Infinity);
  return { notBefore: new Date(start), notAfter: new Date(end) };
}

function parse(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}

function pem(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" });
}
