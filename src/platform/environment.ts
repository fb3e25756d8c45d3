import { randomBytes, randomUUID } from "node:crypto";

/** The clock, ids and randomness. They come in through the context, so that tests freeze them. */
export interface Environment {
  readonly now: () => Date;
  /** A random UUID, lower case. */
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Buffer;
}

export const realEnvironment: Environment = {
  now: () => new Date(),
  newId: () => randomUUID(),
  randomBytes: (count) => randomBytes(count),
};
