/** What a check has found. `optional`: it is absent, and Atoll starts without it. */
export interface Finding {
  readonly name: string;
  readonly state: "ok" | "optional" | "missing";
  readonly neededFor: string;
  readonly detail: string;
  /** How to get what is absent. */
  readonly remedy?: string;
}

export interface CheckContext {
  /** The data folder, absolute; it need not exist. */
  readonly data: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Looks for one thing that Atoll or an engine needs. Changes nothing. */
export type Check = (context: CheckContext) => Promise<Finding | readonly Finding[]>;
