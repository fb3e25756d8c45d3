import type { RuntimeFunction } from "../runtime-function.ts";
import { ipv4Functions } from "./ipv4-functions.ts";
import { ipv6Functions } from "./ipv6-functions.ts";

/** Addresses of networks: comparing, masking, finding and writing them. */
export const netFunctions: readonly RuntimeFunction[] = [...ipv4Functions, ...ipv6Functions];
