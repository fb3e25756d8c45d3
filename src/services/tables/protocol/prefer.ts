/** What the `Prefer` header asks for. */
export interface Preferences {
  readonly returnRepresentation: boolean;
  /** Patterns of annotations, such as `*` or `OData.Community.*`. */
  readonly annotations: readonly string[];
  /** Rows of a page; undefined when the header does not say. */
  readonly pageSize: number | undefined;
  readonly trackChanges: boolean;
  readonly continueOnError: boolean;
  /** What `Preference-Applied` answers, if anything. */
  readonly applied: string | undefined;
}

export const PAGE_SIZE_MAX = 5000;

/** Reads the header leniently: what it does not understand is a wish that is not granted. */
export function parsePrefer(header: string | undefined): Preferences {
  const wishes = wishesOf(header ?? "");
  const annotations = wishes.get("odata.include-annotations");
  const wanted = {
    returnRepresentation: wishes.get("return") === "representation",
    pageSize: pageSizeOf(wishes.get("odata.maxpagesize")),
    trackChanges: wishes.has("odata.track-changes"),
  };
  const applied = appliedOf(wanted, annotations);
  return {
    ...wanted,
    annotations: (annotations ?? "").split(",").flatMap((one) => one.trim() || []),
    continueOnError: wishes.has("odata.continue-on-error"),
    applied: applied.length === 0 ? undefined : applied.join(","),
  };
}

function wishesOf(header: string): ReadonlyMap<string, string> {
  const wishes = new Map<string, string>();
  const pattern = /([\w.-]+)(?:\s*=\s*(?:"([^"]*)"|([^,;\s]*)))?/g;
  for (const [, name = "", quotedValue, value] of header.matchAll(pattern)) {
    wishes.set(name.toLowerCase(), quotedValue ?? value ?? "");
  }
  return wishes;
}

function appliedOf(
  wanted: Pick<Preferences, "pageSize" | "returnRepresentation" | "trackChanges">,
  annotations: string | undefined,
): readonly string[] {
  const { returnRepresentation, pageSize, trackChanges } = wanted;
  return [
    ...(returnRepresentation ? ["return=representation"] : []),
    ...(annotations === undefined ? [] : [`odata.include-annotations="${annotations}"`]),
    ...(pageSize === undefined ? [] : [`odata.maxpagesize=${pageSize}`]),
    ...(trackChanges ? ["odata.track-changes"] : []),
  ];
}

function pageSizeOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d+$/.test(text)) return undefined;
  return Math.min(Math.max(Number(text), 1), PAGE_SIZE_MAX);
}

/** Whether an annotation such as `OData.Community.Display.V1.FormattedValue` was asked for. */
export function wantsAnnotation({ annotations }: Preferences, name: string): boolean {
  return annotations.some(
    (pattern) =>
      pattern === name || (pattern.endsWith("*") && name.startsWith(pattern.slice(0, -1))),
  );
}
