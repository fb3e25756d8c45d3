import { Problem } from "#platform/problem.ts";
import type { Call } from "../call.ts";
import type { Context } from "../context.ts";
import type { BlobEntry, ContainerEntry } from "../state/catalog.ts";
import type { ContainerRow } from "../store.ts";

/** A blob's place: its entry, and the container that it is in. */
export interface Place {
  readonly blob: BlobEntry;
  readonly containerId: number;
  /** The container as it was when the place was found; what never changes may be read of it. */
  readonly container: ContainerRow;
  /** Of the blob. */
  readonly name: string;
  /** Refuses when the container has gone since; for the moment of a decision. */
  readonly requireContainer: () => void;
}

/** Hands `work` the place that a request names. Refuses with 404 where there is no container. */
export async function usePlace<Result>(
  { catalog }: Context,
  { account, container, blob }: Pick<Call, "account" | "container" | "blob">,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  return catalog.useContainer(account, container, async (entry: ContainerEntry) => {
    const row = entry.visible;
    if (row === undefined) throw containerNotFound(container);
    const containerId = row.id;
    const requireContainer = () => {
      if (entry.assigned?.id !== containerId) throw containerNotFound(container);
    };
    return catalog.useBlob(containerId, blob, (found) =>
      work({ blob: found, containerId, container: row, name: blob, requireContainer }),
    );
  });
}

export function containerNotFound(name: string): Problem {
  return new Problem(404, "ContainerNotFound", `There is no container "${name}".`);
}

export function blobNotFound({ blob, container }: Pick<Call, "blob" | "container">): Problem {
  const said = `There is no blob "${blob}" in the container "${container}".`;
  return new Problem(404, "BlobNotFound", said);
}
