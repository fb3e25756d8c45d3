import type { Json } from "../../types.ts";

/** Collections inside collections are read down to this depth. */
const NESTING_MAX = 32;

const TOKEN = /\s*(?:([A-Za-z]+)|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([(),]))/uy;

/** The GeoJSON name of a type of shape and how deep its positions are nested in lists. */
const SHAPES: ReadonlyMap<string, { readonly type: string; readonly depth: number }> = new Map([
  ["POINT", { type: "Point", depth: 0 }],
  ["LINESTRING", { type: "LineString", depth: 1 }],
  ["POLYGON", { type: "Polygon", depth: 2 }],
  ["MULTIPOINT", { type: "MultiPoint", depth: 1 }],
  ["MULTILINESTRING", { type: "MultiLineString", depth: 2 }],
  ["MULTIPOLYGON", { type: "MultiPolygon", depth: 3 }],
]);

class WktError extends Error {}

/** GeoJSON of a shape in well-known text; null when it is malformed or of an unknown kind. */
export function parseWkt(text: string): Json {
  try {
    const tokens = tokenize(text);
    const shape = readShape(tokens, 0);
    return tokens.peek() === undefined ? shape : null;
  } catch (error) {
    if (error instanceof WktError) {
      return null;
    }
    throw error;
  }
}

interface Tokens {
  readonly peek: () => string | undefined;
  readonly next: () => string | undefined;
}

function tokenize(text: string): Tokens {
  const found: string[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text);
    if (match === null) {
      throw new WktError();
    }
    found.push(match[0].trim());
  }
  let position = 0;
  return {
    peek: () => found[position],
    next() {
      position += 1;
      return found[position - 1];
    },
  };
}

function readShape(tokens: Tokens, depth: number): Json {
  const name = tokens.next()?.toUpperCase() ?? "";
  if (name === "GEOMETRYCOLLECTION" && depth < NESTING_MAX) {
    return {
      type: "GeometryCollection",
      geometries: readList(tokens, () => readShape(tokens, depth + 1)),
    };
  }
  const shape = SHAPES.get(name);
  if (shape === undefined) {
    throw new WktError();
  }
  return { type: shape.type, coordinates: readCoordinates(tokens, name, shape.depth) };
}

function readCoordinates(tokens: Tokens, name: string, depth: number): Json {
  if (name === "POINT") {
    return readEnclosedPosition(tokens);
  }
  return name === "MULTIPOINT"
    ? readList(tokens, () => readMultiPoint(tokens))
    : readNested(tokens, depth);
}

/** Each point of a multipoint may have parentheses of its own. */
function readMultiPoint(tokens: Tokens): Json {
  return tokens.peek() === "(" ? readEnclosedPosition(tokens) : readPosition(tokens);
}

function readEnclosedPosition(tokens: Tokens): Json {
  expect(tokens, "(");
  const position = readPosition(tokens);
  expect(tokens, ")");
  return position;
}

function readNested(tokens: Tokens, depth: number): Json[] {
  return readList(tokens, () =>
    depth === 1 ? readPosition(tokens) : readNested(tokens, depth - 1),
  );
}

function readList(tokens: Tokens, readItem: () => Json): Json[] {
  expect(tokens, "(");
  const items = [readItem()];
  while (tokens.peek() === ",") {
    tokens.next();
    items.push(readItem());
  }
  expect(tokens, ")");
  return items;
}

function readPosition(tokens: Tokens): Json {
  return [readNumber(tokens), readNumber(tokens)];
}

function readNumber(tokens: Tokens): number {
  const text = tokens.next();
  const value = text === undefined || /^[(),]$/u.test(text) ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) {
    throw new WktError();
  }
  return value;
}

function expect(tokens: Tokens, token: string): void {
  if (tokens.next() !== token) {
    throw new WktError();
  }
}
