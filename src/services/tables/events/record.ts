import type { Work } from "../rows/work.ts";
import { sql } from "../storage/sql.ts";
import { executionContext } from "./execution-context.ts";
import { happeningsOf } from "./happenings.ts";

/**
 * Notes, in the transaction itself, what is to be told to whom once it is committed; answers
 * whether there is anything to tell.
 */
export async function recordEvents(work: Work): Promise<boolean> {
  const { context, actor, writer } = work;
  if (context.steps.isEmpty()) return false;
  const { environment, steps } = context;
  const at = environment.now();
  let isAny = false;
  for (const happening of happeningsOf(work.events, environment.newId())) {
    const { message, table, rowId } = happening;
    for (const step of steps.matching(table.logicalName, message)) {
      if (step.isSynchronous) continue;
      const id = environment.newId();
      const content = executionContext(happening, { context, actor, step, id, at });
      isAny = true;
      await writer.run(
        sql(
          "insert into row_event (sequence, id, step_id, message, table_name, row_id, content) " +
            "values (?, ?, ?, ?, ?, ?, ?)",
          [
            await work.takeVersions(1),
            id,
            step.id,
            message,
            table.logicalName,
            rowId,
            JSON.stringify(content),
          ],
        ),
      );
    }
  }
  return isAny;
}
