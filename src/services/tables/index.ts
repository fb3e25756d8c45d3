import type { FastifyBaseLogger } from "fastify";
import type { Decide } from "#platform/auth/access.ts";
import type { Environment } from "#platform/environment.ts";
import type { OutboundFetch } from "#platform/fetch/outbound-fetch.ts";
import type { Sealer } from "#platform/seal.ts";
import type { Service } from "#platform/service.ts";
import { openStore } from "#platform/store/open-store.ts";
import type { StoreLocation } from "#platform/store/store.ts";
import { createAccess } from "./access.ts";
import type { Context, Principals } from "./context.ts";
import { BUILT_IN_TABLES } from "./definitions/built-in.ts";
import { createCatalog } from "./definitions/catalog.ts";
import { createDeliveries } from "./events/deliver.ts";
import { createSteps } from "./events/steps.ts";
import { tablesRoutes } from "./routes.ts";
import { readerOf } from "./storage/sql.ts";
import { ensureTables } from "./storage/ensure.ts";
import { stableId } from "./stable-id.ts";
import { migrations, type TablesTables } from "./store.ts";

export { TABLES_ADMIN_ROLE_ID, tablesRoles } from "./roles.ts";

export interface TablesOptions {
  readonly location: StoreLocation;
  readonly environment: Environment;
  readonly log: FastifyBaseLogger;
  readonly decide: Decide;
  readonly principals: Principals;
  readonly outbound: OutboundFetch;
  readonly sealer: Sealer;
  /** The id of the organization whose tables these are: the tenant's. */
  readonly tenantId: string;
  /** The path of the environment, as role assignments name it. */
  readonly scope: string;
}

export interface TablesService extends Service {
  readonly openapi: () => object;
}

/** Opens the tables; every row acknowledged before is there. */
export async function openTables(options: TablesOptions): Promise<TablesService> {
  const { location, environment, log, decide, principals, tenantId } = options;
  const store = await openStore<TablesTables>({ location, migrations });
  const dialect = location.kind === "postgres" ? "postgres" : "sqlite";
  const organization = {
    id: tenantId,
    name: "atoll",
    businessUnitId: stableId(`business unit of ${tenantId}`),
  };
  const context: Context = {
    store,
    dialect,
    reader: readerOf(store, dialect),
    environment,
    log,
    access: createAccess(decide, options.scope),
    catalog: createCatalog(BUILT_IN_TABLES),
    organization,
    principals,
    users: new Set(),
    outbound: options.outbound,
    steps: createSteps(),
    wake: () => deliveries.wake(),
    ...secretsOf(options.sealer),
  };
  const deliveries = createDeliveries(context);
  try {
    await ensureTables(context);
    await context.steps.load(context.reader);
    deliveries.wake();
  } catch (error) {
    await store.close();
    throw error;
  }
  return {
    name: "tables",
    routes: { gateway: tablesRoutes(context) },
    openapi: () => ({}),
    health: () => Promise.resolve({ status: "ok" }),
    async stop() {
      await deliveries.stop();
      await store.close();
    },
  };
}

const PURPOSE = "tables/secret";

function secretsOf({ seal, open }: Sealer): Pick<Context, "seal" | "unseal"> {
  return {
    seal: (plain) => Buffer.from(seal(Buffer.from(plain), PURPOSE)).toString("base64"),
    unseal: (sealed) => Buffer.from(open(Buffer.from(sealed, "base64"), PURPOSE)).toString(),
  };
}
