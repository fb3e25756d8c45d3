import { Problem } from "#platform/problem.ts";
import type { Answer, Call } from "../call.ts";
import { blobNotFound, usePlace } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { requireWriteLease } from "../leases/require-lease.ts";
import { invalidHeader, requiredHeader } from "../protocol/header-values.ts";
import { copyOf, withoutContent } from "./copy-state.ts";

/** `PUT /{account}/{container}/{blob}?comp=copy&copyid={id}`: leaves the target empty. */
export async function abortCopy(context: Context, call: Call): Promise<Answer> {
  const { catalog, copies, environment } = context;
  const action = requiredHeader(call.headers, "x-svc-copy-action");
  if (action !== "abort") throw invalidHeader("x-svc-copy-action", action, "which is not abort");
  const id = copyIdOf(call);
  return usePlace(context, call, async (place) => {
    place.requireContainer();
    const existing = place.blob.assigned;
    if (existing === undefined) throw blobNotFound(call);
    const leased = { kind: "Blob", lease: existing.lease } as const;
    const lease = requireWriteLease(call.headers, leased, environment.now());
    const state = copyOf(context, existing);
    if (state?.status !== "pending") {
      throw new Problem(409, "NoPendingCopyOperation", "No copy to the blob is pending.");
    }
    if (state.id !== id) {
      const said = `copyid is "${id}", and the copy that is pending is ${state.id}.`;
      throw new Problem(409, "CopyIdMismatch", said);
    }
    const completedAt = environment.now().toISOString();
    const copy = JSON.stringify({ ...state, status: "aborted", completedAt });
    const row = { ...existing, ...catalog.stamp(), lease, copy, copyRequest: null };
    copies.abort(id);
    await catalog.change(place.blob, row, withoutContent(row));
    return { status: 204, headers: {} };
  });
}

function copyIdOf({ query }: Call): string {
  const id = query.get("copyid") ?? "";
  if (id !== "") return id;
  const said = "The query parameter copyid is required.";
  throw new Problem(400, "MissingRequiredQueryParameter", said, {
    fields: { QueryParameterName: "copyid" },
  });
}
