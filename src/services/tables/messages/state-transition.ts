import type { Context } from "../context.ts";
import { answered, readerFor, type Answer, type Request } from "../protocol/request.ts";
import { badArgument } from "../protocol/refusals.ts";
import { requireRow } from "../rows/find.ts";
import { integerParameter, textParameter, type Parameters } from "./parameters.ts";
import { entityParameter } from "./targets.ts";

/**
 * Whether a row may have this state, which is named by its label, with this status. The tables say
 * nothing of which status may follow which, so a status may be had whenever its state may.
 */
export async function isValidStateTransition(
  context: Context,
  request: Request,
  parameters: Parameters,
): Promise<Answer> {
  const { table, key } = entityParameter(context.catalog, "Entity", parameters["Entity"]);
  context.access.require(request.actor.caller, "read", table.logicalName);
  if (!table.definition.messages.includes("IsValidStateTransition")) {
    throw badArgument(`${table.logicalName} does not support IsValidStateTransition.`);
  }
  const label = textParameter(parameters, "NewState").toLowerCase();
  const status = integerParameter(parameters, "NewStatus");
  await requireRow(readerFor(context, request), table, key);
  const state = table.states.find((one) => one.label.toLowerCase() === label);
  const isValid = state?.statuses.some((one) => one.value === status) === true;
  const type = "Microsoft.Dynamics.CRM.IsValidStateTransitionResponse";
  return answered(200, { "@odata.context": `${request.base}/$metadata#${type}`, IsValid: isValid });
}
