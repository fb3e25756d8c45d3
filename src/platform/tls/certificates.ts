// oxlint-disable-next-line import/no-unassigned-import -- The certificate library asks for it.
import "reflect-metadata";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
  type Extension,
} from "@peculiar/x509";
import { createPublicKey, randomBytes, type KeyObject } from "node:crypto";
import { isIP } from "node:net";

const CURVE = { name: "ECDSA", namedCurve: "P-256" } as const;
const SIGNATURE = { name: "ECDSA", hash: "SHA-256" } as const;
const SERIAL_BYTES = 16;

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

export interface Party {
  readonly name: string;
  /** The private key, on P-256. */
  readonly key: KeyObject;
}

/** A certificate (PEM) that signs servers' certificates and no further authorities. */
export async function issueAuthority(authority: Party, validity: Validity): Promise<string> {
  const publicKey = publicHalf(authority.key);
  return issue(authority, authority, validity, [
    new BasicConstraintsExtension(true, 0, true),
    new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    await SubjectKeyIdentifierExtension.create(publicKey),
  ]);
}

/** A server's certificate (PEM) for these names and addresses, signed by the authority. */
export async function issueServer(
  authority: Party,
  server: Party & { readonly hosts: readonly string[] },
  validity: Validity,
): Promise<string> {
  const names = server.hosts.map((host) => ({
    type: isIP(host) === 0 ? ("dns" as const) : ("ip" as const),
    value: host,
  }));
  return issue(authority, server, validity, [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    new SubjectAlternativeNameExtension(names),
    await SubjectKeyIdentifierExtension.create(publicHalf(server.key)),
    await AuthorityKeyIdentifierExtension.create(publicHalf(authority.key)),
  ]);
}

async function issue(
  issuer: Party,
  subject: Party,
  validity: Validity,
  extensions: Extension[],
): Promise<string> {
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    issuer: [{ CN: [issuer.name] }],
    subject: [{ CN: [subject.name] }],
    ...validity,
    extensions,
    publicKey: publicHalf(subject.key),
    signingKey: issuer.key.toCryptoKey(CURVE, false, ["sign"]),
    signingAlgorithm: SIGNATURE,
  });
  return `${certificate.toString("pem")}\n`;
}

function publicHalf(key: KeyObject) {
  return createPublicKey(key).toCryptoKey(CURVE, true, ["verify"]);
}

/** A positive number without leading zeros, as DER demands of an INTEGER. */
function serialNumber(): string {
  const bytes = randomBytes(SERIAL_BYTES);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString("hex");
}
