import { sasTime } from "#platform/auth/sas-fields.ts";
import { DELEGATION_KEY_MAX_MS } from "#platform/auth/sas-limits.ts";
import { Problem } from "#platform/problem.ts";
import { delegationKey } from "../access/delegation-key.ts";
import type { Answer, Call } from "../call.ts";
import type { Context } from "../context.ts";
import {
  childText,
  invalidXmlNode,
  missingXmlNode,
  readXmlBody,
  type XmlElement,
} from "../protocol/xml-body.ts";
import { xmlBody, xmlElement, XML_TYPE } from "../protocol/xml-text.ts";

const BODY_MAX = 64 * 1024;
/** The blob service, in the fields of a signature. */
const SERVICE = "b";

/**
 * `POST /{account}?restype=service&comp=userdelegationkey`: a key with which the caller signs for
 * others. What such signatures allow is decided by the caller's roles when they are used.
 */
export async function getUserDelegationKey(context: Context, call: Call): Promise<Answer> {
  const { caller } = call.request;
  if (caller?.scheme !== "bearer") {
    const detail = "A user delegation key is given to the holder of a bearer token only.";
    throw new Problem(403, "AuthenticationFailed", "The request's credentials were refused.", {
      fields: { AuthenticationErrorDetail: detail },
    });
  }
  const info = await readXmlBody(call, "KeyInfo", BODY_MAX);
  const fields = {
    objectId: caller.objectId,
    tenantId: caller.tenantId,
    ...timesOf(info, context.environment.now()),
    service: SERVICE,
    version: call.version,
    delegatedTenantId: childText(info, "DelegatedUserTid") ?? "",
  };
  const secret = context.accounts.delegationSecret(call.account);
  const value = Buffer.from(delegationKey(secret, fields)).toString("base64");
  const elements = [
    xmlElement("SignedOid", fields.objectId),
    xmlElement("SignedTid", fields.tenantId),
    xmlElement("SignedStart", fields.start),
    xmlElement("SignedExpiry", fields.expiry),
    xmlElement("SignedService", fields.service),
    xmlElement("SignedVersion", fields.version),
    xmlElement("SignedDelegatedUserTid", fields.delegatedTenantId || undefined),
    xmlElement("Value", value),
  ];
  const body = xmlBody(`<UserDelegationKey>${elements.join("")}</UserDelegationKey>`);
  return { status: 200, headers: XML_TYPE, body };
}

/** Whole seconds in UTC: clients write the times into their signatures in this form. */
function timesOf(info: XmlElement, now: Date) {
  const expiryText = childText(info, "Expiry") ?? "";
  if (expiryText === "") throw missingXmlNode("Expiry", "KeyInfo");
  const startText = childText(info, "Start") || now.toISOString();
  const start = timeOf("Start", startText);
  const expiry = timeOf("Expiry", expiryText);
  if (expiry <= start || expiry <= now.getTime()) {
    throw invalidXmlNode("Expiry", expiryText, "which is over before the key begins");
  }
  if (expiry - start > DELEGATION_KEY_MAX_MS) {
    throw invalidXmlNode("Expiry", expiryText, "and a key is valid for 7 days at most");
  }
  return { start: seconds(start), expiry: seconds(expiry) };
}

function timeOf(name: string, text: string): number {
  const time = sasTime(text);
  if (time === undefined) throw invalidXmlNode(name, text, "which is no UTC time");
  return Math.floor(time / 1000) * 1000;
}

function seconds(time: number): string {
  return new Date(time).toISOString().replace(".000Z", "Z");
}
