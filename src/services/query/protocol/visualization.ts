import { NO_VISUALIZATION } from "#engines/kql/translate/visualization.ts";

/** What `render` asks for as JSON text, with every field that clients expect. */
export function visualizationText(asked: object | undefined): string {
  return JSON.stringify({ ...NO_VISUALIZATION, ...asked });
}
