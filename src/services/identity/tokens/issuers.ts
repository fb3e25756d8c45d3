import type { Context } from "../context.ts";

/** One of the names under which this server issues tokens, with the same keys. */
export interface Issuer {
  /** Byte for byte what `iss` says, and what stands before `/.well-known` in its document. */
  readonly url: string;
  readonly version: "1.0" | "2.0";
  /** First segment of its endpoints' paths. */
  readonly segment: string;
}

type Place = Pick<Context, "authUrl" | "tenantId">;

/** Stands for "whoever signs in"; the tokens name the one tenant that there is. */
const ANY_TENANT = new Set(["common", "organizations"]);

/** The issuer behind a path; undefined for a tenant that is not this one. */
export function issuerOf(place: Place, tenant: string, isV2: boolean): Issuer | undefined {
  const [root, v1, v2] = issuersOf(place);
  const name = tenant.toLowerCase();
  const isAny = ANY_TENANT.has(name);
  if (!isAny && name !== place.tenantId) return undefined;
  if (isV2) return v2;
  return isAny ? root : v1;
}

/** All issuers whose tokens are ours. */
export function issuersOf({ authUrl, tenantId }: Place): readonly [Issuer, Issuer, Issuer] {
  const url = authUrl();
  return [
    { url, version: "1.0", segment: "common" },
    { url: `${url}/${tenantId}`, version: "1.0", segment: tenantId },
    { url: `${url}/${tenantId}/v2.0`, version: "2.0", segment: tenantId },
  ];
}
