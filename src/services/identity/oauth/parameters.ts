import { Problem } from "#platform/problem.ts";

/** What a form or a query holds. A parameter without a value counts as left out. */
export interface Parameters {
  readonly get: (name: string) => string | undefined;
  /** Names that were sent more than once, which no parameter may be (RFC 6749, section 3.1). */
  readonly repeated: readonly string[];
}

export function readParameters(sent: URLSearchParams): Parameters {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of sent) {
    if (values.has(name)) repeated.add(name);
    values.set(name, value);
  }
  return {
    get: (name) => (repeated.has(name) ? undefined : values.get(name) || undefined),
    repeated: [...repeated],
  };
}

export function refuseRepeated({ repeated }: Parameters): void {
  const [name] = repeated;
  if (name !== undefined) throw invalidRequest(`The parameter ${name} is sent more than once.`);
}

export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw invalidRequest(`The parameter ${name} is required.`);
  return value;
}

export function invalidRequest(sentence: string): Problem {
  return new Problem(400, "invalid_request", sentence);
}
