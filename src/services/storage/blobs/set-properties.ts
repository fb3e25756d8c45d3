import type { Answer, Call } from "../call.ts";
import type { Context } from "../context.ts";
import { parsePageChanges, shrunk } from "../page-blobs/page-changes.ts";
import { sequenceHeader } from "../page-blobs/page-blob.ts";
import { stampHeaders } from "../protocol/answer-headers.ts";
import { requireOnline } from "../tiers/tiers.ts";
import { changeBlob } from "./change-blob.ts";
import { ownContentProperties } from "./content-properties.ts";

/**
 * `PUT /{account}/{container}/{blob}?comp=properties`: all content properties, those that are
 * not sent being cleared. A request that says no more than how long a page blob is, or what its
 * sequence number is, leaves them as they are.
 */
export async function setBlobProperties(context: Context, call: Call): Promise<Answer> {
  const properties = ownContentProperties(call);
  const pages = parsePageChanges(call);
  const decided = pages?.isAll === true ? {} : properties;
  const row = await changeBlob(
    context,
    call,
    (existing) => {
      requireOnline(existing);
      return { ...context.catalog.stamp(), ...decided, ...pages?.decide(existing) };
    },
    shrunk,
  );
  const headers = { ...stampHeaders(row, call.version), ...sequenceHeader(row) };
  return { status: 200, headers };
}
