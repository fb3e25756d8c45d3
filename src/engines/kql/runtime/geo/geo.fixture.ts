import type { Json, KqlValue } from "../../types.ts";
import { callerOf } from "../call-function.ts";
import { geoFunctions } from "./functions.ts";

/** Calls a function as the engine does. */
export const call = callerOf(geoFunctions);

/** The same with all numbers of the result rounded to some digits after the point. */
export function callRounded(digits: number, name: string, ...values: KqlValue[]): Json {
  return rounded(call(name, ...values), digits);
}

export function line(...coordinates: Json[]): Json {
  return { type: "LineString", coordinates };
}

/** A polygon from rings as they are written, the first corner again at the end. */
export function polygon(...coordinates: Json[]): Json {
  return { type: "Polygon", coordinates };
}

export function multiPolygon(...coordinates: Json[]): Json {
  return { type: "MultiPolygon", coordinates };
}

export function point(lng: number, lat: number): Json {
  return { type: "Point", coordinates: [lng, lat] };
}

export const EMPTY: Json = { type: "GeometryCollection", geometries: [] };

/** A square ring in degrees, counterclockwise from its south-western corner. */
export function square(lng: number, lat: number, size: number): Json[] {
  return [
    [lng, lat],
    [lng + size, lat],
    [lng + size, lat + size],
    [lng, lat + size],
    [lng, lat],
  ];
}

function rounded(value: KqlValue, digits: number): Json {
  if (typeof value === "number") {
    // Adding 0 turns -0 into 0.
    return Number(value.toFixed(digits)) + 0;
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (isList(value)) {
    return value.map((item) => rounded(item, digits));
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, rounded(item, digits)]),
  );
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
