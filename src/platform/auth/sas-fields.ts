import { Problem } from "../problem.ts";

const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,7})?)?Z)?$/;

/** Fields of a shared access signature, by their names in the query. */
export type SasFields = ReadonlyMap<string, string>;

/** Milliseconds of a time in a signature or policy; undefined for any other text. */
export function sasTime(text: string): number | undefined {
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** 403, with what exactly was wrong. */
export function failedSas(detail: string): Problem {
  return new Problem(403, "AuthenticationFailed", "The shared access signature was refused.", {
    fields: { AuthenticationErrorDetail: detail },
  });
}
