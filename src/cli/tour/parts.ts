import { authorizationTour } from "./authorization.ts";
import type { TourPart } from "./guide.ts";
import { identityTour } from "./identity.ts";
import { queryTour } from "./query.ts";
import { storageTour } from "./storage.ts";
import { tablesTour } from "./tables.ts";

/** In the order in which they build on each other. A service adds its own file here. */
export const TOUR_PARTS: readonly TourPart[] = [
  identityTour,
  authorizationTour,
  storageTour,
  queryTour,
  tablesTour,
];
