import { Problem } from "#platform/problem.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { Ingest } from "./ingestion-port.ts";

export function createIngest(_catalog: Catalog): Ingest {
  return () => Promise.reject(new Problem(501, "NotImplemented", "Ingestion is not there yet."));
}
