import type { Json } from "../../types.ts";
import { pointJson, polygonsJson } from "./geojson.ts";
import { inListedOrder } from "./token-order.ts";
import { vertexAt } from "./vertex.ts";

const ALPHABET = "0123456789bcdefghjkmnpqrstuvwxyz";
const BITS_PER_LETTER = 5;
const GEOHASH_LENGTH_MAX = 18;

interface Range {
  readonly low: number;
  readonly high: number;
}

interface Box {
  readonly lng: Range;
  readonly lat: Range;
}

const WORLD: Box = { lng: { low: -180, high: 180 }, lat: { low: -90, high: 90 } };

/** Steps to the east and north to the neighbours, row by row. */
const NEIGHBOR_STEPS = [
  [-1, 1],
  [0, 1],
  [1, 1],
  [-1, 0],
  [1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const;

/** The geohash of a point with `accuracy` letters; "" when one of them is out of range. */
export function encodeGeohash(lng: number, lat: number, accuracy: number): string {
  const isLength = Number.isInteger(accuracy) && accuracy >= 1 && accuracy <= GEOHASH_LENGTH_MAX;
  if (!isLength || vertexAt(lng, lat) === null) {
    return "";
  }
  let { lng: east, lat: north } = WORLD;
  let hash = "";
  let letter = 0;
  for (let bit = 0; bit < accuracy * BITS_PER_LETTER; bit += 1) {
    const isEast = bit % 2 === 0;
    const [part, isHigh] = isEast ? halve(east, lng) : halve(north, lat);
    [east, north] = isEast ? [part, north] : [east, part];
    letter = letter * 2 + (isHigh ? 1 : 0);
    if (bit % BITS_PER_LETTER === BITS_PER_LETTER - 1) {
      hash += ALPHABET.charAt(letter);
      letter = 0;
    }
  }
  return hash;
}

export function geohashCenter(hash: string): Json {
  const box = decode(hash);
  const center = box && vertexAt(middleOf(box.lng), middleOf(box.lat));
  return center && pointJson(center);
}

/** The cell as a polygon, counterclockwise from its south-western corner. */
export function geohashPolygon(hash: string): Json {
  const box = decode(hash);
  if (box === null) {
    return null;
  }
  const { lng, lat } = box;
  const corners = [
    vertexAt(lng.low, lat.low),
    vertexAt(lng.high, lat.low),
    vertexAt(lng.high, lat.high),
    vertexAt(lng.low, lat.high),
  ];
  return polygonsJson([[corners.filter((corner) => corner !== null)]]);
}

/** The cells around one: eight, or fewer at a pole. */
export function geohashNeighbors(hash: string): Json {
  const box = decode(hash);
  if (box === null) {
    return null;
  }
  const width = box.lng.high - box.lng.low;
  const height = box.lat.high - box.lat.low;
  const cells = NEIGHBOR_STEPS.map(([east, north]) => {
    const lng = wrap(middleOf(box.lng) + east * width);
    return encodeGeohash(lng, middleOf(box.lat) + north * height, hash.length);
  });
  return inListedOrder(cells.filter((cell) => cell !== "" && cell !== hash.toLowerCase()));
}

function decode(hash: string): Box | null {
  if (hash === "" || hash.length > GEOHASH_LENGTH_MAX) {
    return null;
  }
  let { lng, lat } = WORLD;
  let bit = 0;
  for (const letter of hash.toLowerCase()) {
    const value = ALPHABET.indexOf(letter);
    if (value < 0) {
      return null;
    }
    for (let shift = BITS_PER_LETTER - 1; shift >= 0; shift -= 1) {
      const isHigh = ((value >> shift) & 1) === 1;
      [lng, lat] = bit % 2 === 0 ? [half(lng, isHigh), lat] : [lng, half(lat, isHigh)];
      bit += 1;
    }
  }
  return { lng, lat };
}

function halve(range: Range, value: number): [Range, boolean] {
  const isHigh = value >= middleOf(range);
  return [half(range, isHigh), isHigh];
}

function half(range: Range, isHigh: boolean): Range {
  const middle = middleOf(range);
  return isHigh ? { low: middle, high: range.high } : { low: range.low, high: middle };
}

function middleOf({ low, high }: Range): number {
  return (low + high) / 2;
}

function wrap(lng: number): number {
  if (lng > 180) {
    return lng - 360;
  }
  return lng < -180 ? lng + 360 : lng;
}
