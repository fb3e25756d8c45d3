import { Problem } from "#platform/problem.ts";

/** Where a listing goes on, in the order of names. */
export interface Position {
  readonly name: string;
  /** Undefined when `name` itself comes next; else the entry that was shown last. */
  readonly shown: { readonly snapshot: string } | undefined;
}

const CODE_POINT_MAX = 0x10ffff;

/** A position as clients carry it: they are not to read anything out of it. */
export function markerOf({ name, shown }: Position): string {
  const parts = shown === undefined ? [name] : [name, shown.snapshot];
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/** Undefined for an empty marker, which begins at the beginning. */
export function parseMarker(marker: string): Position | undefined {
  if (marker === "") return undefined;
  const parts = partsOf(marker);
  const [name, snapshot] = parts;
  if (typeof name === "string" && !name.includes("\0") && parts.length <= 2) {
    if (snapshot === undefined) return { name, shown: undefined };
    if (typeof snapshot === "string") return { name, shown: { snapshot } };
  }
  const said = "marker is not the NextMarker of a listing of this service.";
  throw new Problem(400, "InvalidQueryParameterValue", said, {
    fields: { QueryParameterName: "marker", QueryParameterValue: marker, Reason: said },
  });
}

function partsOf(marker: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(marker, "base64url").toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/**
 * The first text behind all that begin with `prefix`, in the order of code points; undefined when
 * there is none.
 */
export function behindPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.length > 0) {
    const last = points.pop() ?? 0;
    if (last === CODE_POINT_MAX) continue;
    // The codes of surrogates are no characters.
    const next = last + 1 === 0xd800 ? 0xe000 : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return undefined;
}
