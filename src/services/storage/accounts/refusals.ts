import { Problem } from "#platform/problem.ts";

const NAME = /^[a-z0-9]{3,24}$/;

/** 404 for an account that is not there, or no longer. */
export function accountNotFound(name: string): Problem {
  return new Problem(404, "ResourceNotFound", `There is no storage account "${name}" here.`);
}

/** Why an account cannot have this name; undefined where it can. */
export function nameFault(name: string): string | undefined {
  if (NAME.test(name)) return undefined;
  return `"${name}" is no name of an account: 3 to 24 lower-case letters and digits.`;
}

export function tooManyAccounts(countMax: number): Problem {
  const said = `There are ${countMax} storage accounts, which is all that there may be.`;
  return new Problem(409, "MaxStorageAccountsCountPerSubscriptionExceeded", said);
}

export function accountIsFixed(name: string): Problem {
  const said =
    `The account "${name}" is the development account, whose key every tool knows; it is not ` +
    "changed. Make an account of your own.";
  return new Problem(409, "AccountIsFixed", said);
}

export function accountIsProtected(name: string): Problem {
  const said = `The account "${name}" is the one that Atoll comes with; it is not deleted.`;
  return new Problem(409, "AccountProtectedFromDeletion", said);
}

export function accountIsLeaving(name: string): Problem {
  const said = `The account "${name}" is being deleted; try again when it has gone.`;
  return new Problem(409, "StorageAccountIsBeingDeleted", said);
}
