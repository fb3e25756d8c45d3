import { KqlError } from "../../kql-error.ts";
import { runtimeFunction, type RuntimeFunction } from "../runtime-function.ts";
import { cellFunctions } from "./cell-functions.ts";
import { lineFunctions } from "./line-functions.ts";
import { overlayFunctions } from "./overlay-functions.ts";
import { pointFunctions } from "./point-functions.ts";
import { polygonFunctions } from "./polygon-functions.ts";
import { parseWkt } from "./wkt.ts";

/** The geospatial functions of the language, on the sphere and with GeoJSON in and out. */
export const geoFunctions: readonly RuntimeFunction[] = [
  ...pointFunctions,
  ...lineFunctions,
  ...polygonFunctions,
  ...overlayFunctions,
  ...cellFunctions,
  runtimeFunction("geo_from_wkt", ["string"], "dynamic", parseWkt),
  runtimeFunction("geo_info_from_ip_address", ["string"], "dynamic", () => {
    throw new KqlError(
      "unsupported",
      "geo_info_from_ip_address() needs a database of addresses and places, which is not here.",
    );
  }),
];
