import { sasTime } from "#platform/auth/sas-fields.ts";
import type { SasPolicy } from "#platform/auth/sas.ts";
import {
  childOf,
  childText,
  invalidXml,
  invalidXmlNode,
  missingXmlNode,
  type XmlElement,
} from "../protocol/xml-body.ts";
import { xmlElement } from "../protocol/xml-text.ts";
import type { ContainerRow } from "../store.ts";

const POLICIES_MAX = 5;
const ID_MAX = 64;
const PERMISSIONS = /^[racwdxltmeiyfop]+$/;

/** Something that signatures can refer to by its id instead of saying it themselves. */
export interface StoredPolicy extends SasPolicy {
  readonly id: string;
}

export function readPolicies({ policies }: Pick<ContainerRow, "policies">): StoredPolicy[] {
  // Written by `storedPolicies` and by nothing else.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return policies === null ? [] : (JSON.parse(policies) as StoredPolicy[]);
}

/** Policies as they are kept in a container's row. */
export function storedPolicies(policies: readonly StoredPolicy[]): string | null {
  return policies.length === 0 ? null : JSON.stringify(policies);
}

/** The policies of `<SignedIdentifiers>`; what is malformed is refused with 400. */
export function parsePolicies({ children }: XmlElement): StoredPolicy[] {
  const policies = children
    .filter(({ name }) => name === "SignedIdentifier")
    .map((identifier) => policyOf(identifier));
  if (policies.length > POLICIES_MAX) {
    const said = `It has ${policies.length} policies; a container takes ${POLICIES_MAX}.`;
    throw invalidXml(said);
  }
  const ids = new Set(policies.map(({ id }) => id));
  if (ids.size < policies.length) throw invalidXml("Two policies have the same Id.");
  return policies;
}

function policyOf(identifier: XmlElement): StoredPolicy {
  const id = childText(identifier, "Id") ?? "";
  if (id === "") throw missingXmlNode("Id", "SignedIdentifier");
  if (id.length > ID_MAX) {
    throw invalidXmlNode("Id", id, `which has ${id.length} characters; ${ID_MAX} are allowed`);
  }
  const policy = childOf(identifier, "AccessPolicy") ?? { name: "", text: "", children: [] };
  const given = (name: string) => childText(policy, name) || undefined;
  const start = timeOf("Start", given("Start"));
  const expiry = timeOf("Expiry", given("Expiry"));
  const permissions = given("Permission");
  if (permissions !== undefined && !PERMISSIONS.test(permissions)) {
    throw invalidXmlNode("Permission", permissions, "which is no set of permissions");
  }
  return {
    id,
    ...(start !== undefined && { start }),
    ...(expiry !== undefined && { expiry }),
    ...(permissions !== undefined && { permissions }),
  };
}

function timeOf(name: string, value: string | undefined): string | undefined {
  if (value === undefined || sasTime(value) !== undefined) return value;
  throw invalidXmlNode(name, value, "which is no UTC time");
}

/** `<SignedIdentifiers>` */
export function policiesXml(policies: readonly StoredPolicy[]): string {
  const identifiers = policies.map(({ id, start, expiry, permissions }) => {
    const fields =
      xmlElement("Start", start) +
      xmlElement("Expiry", expiry) +
      xmlElement("Permission", permissions);
    const policy = fields === "" ? "" : `<AccessPolicy>${fields}</AccessPolicy>`;
    return `<SignedIdentifier>${xmlElement("Id", id)}${policy}</SignedIdentifier>`;
  });
  return `<SignedIdentifiers>${identifiers.join("")}</SignedIdentifiers>`;
}
