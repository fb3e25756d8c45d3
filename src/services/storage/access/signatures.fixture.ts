import { createHmac } from "node:crypto";
import { ACCOUNT, KEYS, VERSION } from "../storage.fixture.ts";

export const NEXT_YEAR = `${new Date().getUTCFullYear() + 1}-01-01`;

/** A service signature's query, written from the protocol's description. */
export function serviceSas(
  sp: string,
  resource: string,
  more: Record<string, string> = {},
): string {
  const sr = resource.split("/").length === 1 ? "c" : "b";
  const fields: Record<string, string> = { sp, se: NEXT_YEAR, sr, sv: VERSION, ...more };
  const of = (name: string) => fields[name] ?? "";
  const text = [
    ...["sp", "st", "se"].map(of),
    `/blob/${ACCOUNT}/${resource}`,
    ...["si", "sip", "spr", "sv", "sr", "snapshot", "ses"].map(of),
    ...["rscc", "rscd", "rsce", "rscl", "rsct"].map(of),
  ].join("\n");
  return signed(fields, text, KEYS[1]);
}

export function accountSas(sp: string, srt: string, ss = "b"): string {
  const fields: Record<string, string> = { sp, ss, srt, se: NEXT_YEAR, sv: VERSION };
  const lines = [ACCOUNT, sp, ss, srt, "", NEXT_YEAR, "", "", VERSION, "", ""];
  return signed(fields, lines.join("\n"), KEYS[0]);
}

function signed(fields: Record<string, string>, text: string, key: Uint8Array): string {
  const sig = createHmac("sha256", key).update(text).digest("base64");
  return new URLSearchParams({ ...fields, sig }).toString();
}

export interface DelegationKey {
  readonly fields: Readonly<Record<string, string>>;
  readonly value: string;
}

/** A signature's query with a user delegation key, for a container or blob. */
export function delegationSas(
  key: DelegationKey,
  sp: string,
  resource: string,
  more: Record<string, string> = {},
): string {
  const sr = resource.split("/").length === 1 ? "c" : "b";
  const own = { sp, se: NEXT_YEAR, sr, sv: VERSION };
  const fields: Record<string, string> = { ...own, ...key.fields, ...more };
  const of = (name: string) => fields[name] ?? "";
  const text = [
    ...["sp", "st", "se"].map(of),
    `/blob/${ACCOUNT}/${resource}`,
    ...["skoid", "sktid", "skt", "ske", "sks", "skv", "saoid", "suoid", "scid"].map(of),
    ...["skdutid", "sduoid", "sip", "spr", "sv", "sr", "snapshot", "ses", "srh", "srq"].map(of),
    ...["rscc", "rscd", "rsce", "rscl", "rsct"].map(of),
  ].join("\n");
  return signed(fields, text, Buffer.from(key.value, "base64"));
}
