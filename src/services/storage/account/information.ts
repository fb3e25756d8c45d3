import { Problem } from "#platform/problem.ts";
import { parseTarget } from "../access/target.ts";
import type { Answer, Call } from "../call.ts";
import type { Context } from "../context.ts";
import { SINCE } from "../protocol/versions.ts";
import { xmlBody, xmlElement, XML_TYPE } from "../protocol/xml-text.ts";

/** `GET` or `HEAD` with `restype=account&comp=properties`, of the account or what is in it. */
export async function getAccountInformation(_context: Context, call: Call): Promise<Answer> {
  return {
    status: 200,
    headers: {
      // One machine, and an address to read from beside the account's own.
      "x-svc-sku-name": "Standard_RAGRS",
      "x-svc-account-kind": "StorageV2",
      "x-svc-is-hns-enabled": call.version >= SINCE.containerScope ? "false" : undefined,
    },
  };
}

/** `GET /{account}-secondary?restype=service&comp=stats` */
export async function getServiceStats({ environment }: Context, call: Call): Promise<Answer> {
  if (!parseTarget(call.request.originalUrl).isSecondary) {
    const said = "comp=stats is answered at the secondary address, /{account}-secondary, only.";
    throw new Problem(400, "InvalidQueryParameterValue", said, {
      fields: { QueryParameterName: "comp", QueryParameterValue: "stats", Reason: said },
    });
  }
  // Both addresses read the same store, so neither is ever behind.
  const time = environment.now().toUTCString();
  const replication = `<Status>live</Status>${xmlElement("LastSyncTime", time)}`;
  const body = `<GeoReplication>${replication}</GeoReplication>`;
  return {
    status: 200,
    headers: XML_TYPE,
    body: xmlBody(`<StorageServiceStats>${body}</StorageServiceStats>`),
  };
}
