import { Problem } from "#platform/problem.ts";

/** The public codes of what goes wrong, by name. */
export const CODES = {
  InvalidArgument: "0x80040203",
  ObjectDoesNotExist: "0x80040217",
  PrivilegeDenied: "0x80040220",
  UserNotEnabled: "0x80040225",
  CannotDeleteDueToAssociation: "0x80040227",
  DuplicateRecord: "0x80040237",
  StoppedByPlugin: "0x80040265",
  OptionOutOfRange: "0x8004431a",
  NumberOutOfRange: "0x80044330",
  TextTooLong: "0x80044331",
  StatusNotOfState: "0x80048408",
  UnreadableBody: "0x80048d19",
  NotImplemented: "0x80040801",
  QuerySyntax: "0x80060888",
  SegmentNotFound: "0x8006088a",
  VersionMismatch: "0x80060882",
  KeyNotFound: "0x80060891",
  DuplicateKey: "0x80060892",
} as const;

/** 400: the value of a field, of a parameter or of a header is not good. */
export function badArgument(message: string): Problem {
  return new Problem(400, CODES.InvalidArgument, message);
}

/** 400: the body cannot be read, or names what the table does not have. */
export function badBody(message: string): Problem {
  return new Problem(400, CODES.UnreadableBody, message);
}

/** 400: the query cannot be read, or names what the table does not have. */
export function badQuery(message: string): Problem {
  return new Problem(400, CODES.QuerySyntax, message);
}

export function noRow(logicalName: string, id: string): Problem {
  const message = `${logicalName} With Id = ${id} Does Not Exist`;
  return new Problem(404, CODES.ObjectDoesNotExist, message);
}

export function noSegment(name: string): Problem {
  return new Problem(404, CODES.SegmentNotFound, `Resource not found for the segment '${name}'.`);
}

export function noMethod(method: string, what: string): Problem {
  return new Problem(405, CODES.InvalidArgument, `${method} is not supported on ${what}.`);
}

export function notImplemented(what: string): Problem {
  return new Problem(501, CODES.NotImplemented, `${what} is not there yet.`);
}

/** A value as an error shows it: short, and on one line. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}…`;
}

const SHOWN_MAX = 80;
