import type { Answer, Call } from "../call.ts";
import { usePlace } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { onDisk } from "../listing/on-disk.ts";
import type { BlobRow } from "../store.ts";

/** A reader that loses against writers this often gets what there is. */
const ATTEMPTS_MAX = 5;

interface Found {
  /** The blob as it was when the reading began. */
  readonly blob: BlobRow;
  readonly answer: Answer;
}

/**
 * Reads pages again while others write to the blob in between, so that its state and its pages
 * belong together. Pages are found in the tables a moment before they are acknowledged: what is
 * answered is on disk in any case.
 */
export async function whileUnchanged(
  context: Context,
  call: Call,
  read: () => Promise<Found>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const { blob, answer } = await read();
    if (blob.type !== "PageBlob" || blob.snapshot !== "") return answer;
    const assigned = await usePlace(context, call, async (place) => place.blob.assigned);
    if (assigned?.id === blob.id && assigned.etag === blob.etag) return answer;
    await onDisk(context);
    if (attempt === ATTEMPTS_MAX) return answer;
  }
}
