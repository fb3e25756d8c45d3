import type { Context } from "../context.ts";
import { writing, type Request } from "../protocol/request.ts";
import type { RowEvent } from "../rows/work.ts";

/** Reading is an event as well, and is only noted where somebody wants to know. */
export async function announceRead(
  context: Context,
  request: Request,
  event: Omit<RowEvent, "content">,
): Promise<void> {
  const { message, table } = event;
  if (context.steps.matching(table.logicalName, message).length === 0) return;
  await writing(context, request, async (work) => {
    work.events.push({ ...event, content: {} });
  });
}
