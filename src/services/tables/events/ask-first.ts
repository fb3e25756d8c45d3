import { Problem } from "#platform/problem.ts";
import type { Actor, Context } from "../context.ts";
import { CODES } from "../protocol/refusals.ts";
import type { RowEvent } from "../rows/work.ts";
import { executionContext } from "./execution-context.ts";
import { happeningsOf, type Happening } from "./happenings.ts";
import { post } from "./post.ts";
import type { Step } from "./steps.ts";

/** Asks every synchronous step about what is going to happen; one that refuses stops it. */
export async function askFirst(
  context: Context,
  actor: Actor,
  events: readonly RowEvent[],
): Promise<void> {
  for (const happening of happeningsOf(events, context.environment.newId())) {
    const { message, table } = happening;
    for (const step of context.steps.matching(table.logicalName, message)) {
      if (step.isSynchronous) await ask(context, actor, happening, step);
    }
  }
}

async function ask(
  context: Context,
  actor: Actor,
  happening: Happening,
  step: Step,
): Promise<void> {
  const id = context.environment.newId();
  const telling = { context, actor, step, id, at: context.environment.now() };
  const outcome = await answerOf(context, step, happening, {
    id,
    content: JSON.stringify(executionContext(happening, telling)),
  });
  if (outcome === undefined) return;
  const { message, table } = happening;
  throw new Problem(
    400,
    CODES.StoppedByPlugin,
    `The step ${step.name} has stopped ${message} of ${table.logicalName}: ${outcome}.`,
  );
}

async function answerOf(
  context: Context,
  { endpoint }: Step,
  { message, table }: Happening,
  { id, content }: { readonly id: string; readonly content: string },
): Promise<string | undefined> {
  const { signal } = new AbortController();
  const envelope = { endpoint, message, table: table.logicalName, id, content, signal };
  try {
    const status = await post(context, envelope);
    return status >= 200 && status < 300 ? undefined : `its endpoint answered ${status}`;
  } catch {
    return "its endpoint cannot be reached";
  }
}
