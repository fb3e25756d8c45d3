import { Problem } from "#platform/problem.ts";
import type { Answer, Call } from "../call.ts";
import type { Context } from "../context.ts";
import { stampHeaders } from "../protocol/answer-headers.ts";
import { headerValue } from "../protocol/header-values.ts";
import { requireOnline } from "../tiers/tiers.ts";
import { changeBlob } from "./change-blob.ts";
import { ownContentProperties } from "./content-properties.ts";

/**
 * `PUT /{account}/{container}/{blob}?comp=properties`: all content properties, those that are
 * not sent being cleared.
 */
export async function setBlobProperties(context: Context, call: Call): Promise<Answer> {
  const properties = ownContentProperties(call);
  const length = headerValue(call.headers, "x-svc-blob-content-length");
  const row = await changeBlob(context, call, (existing) => {
    const { name, type } = existing;
    requireOnline(existing);
    if (length !== undefined) {
      const said = `The blob "${name}" is a ${type}; only a PageBlob is given another length.`;
      throw new Problem(409, "InvalidBlobType", said);
    }
    return { ...context.catalog.stamp(), ...properties };
  });
  return { status: 200, headers: stampHeaders(row, call.version) };
}
