import { Problem } from "#platform/problem.ts";

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function checkAssignmentId(id: string): void {
  if (UUID.test(id)) return;
  throw new Problem(400, "InvalidRoleAssignmentId", `The id "${id}" is not a UUID.`);
}

export function checkDefinitionId(id: string): void {
  if (UUID.test(id)) return;
  throw new Problem(400, "InvalidRoleDefinitionId", `The id "${id}" is not a UUID.`);
}
