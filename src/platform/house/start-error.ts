/** Atoll cannot start. The sentence says why and what to do; the process ends with code 1. */
export class StartError extends Error {
  override readonly name = "StartError";
}
