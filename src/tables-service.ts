import type { Authorization } from "#services/authorization/index.ts";
import type { Identity } from "#services/identity/index.ts";
import { openTables, type TablesService } from "#services/tables/index.ts";
import type { House } from "#platform/house/house.ts";
import { groupScope } from "./subscription.ts";

const ENVIRONMENT = "atoll";

interface Access {
  readonly identity: Identity;
  readonly authorization: Authorization;
}

/** Opens the business tables with what the rest of Atoll does for them. */
export async function openTablesService(house: House, access: Access): Promise<TablesService> {
  const { environment, log, outbound, sealer } = house;
  const { identity, authorization } = access;
  await house.data.serviceDir("tables");
  return openTables({
    location: house.location("tables"),
    environment,
    log,
    decide: authorization.decide,
    outbound,
    sealer,
    principals: { find: identity.findPrincipal },
    tenantId: identity.tenantId,
    scope: `${groupScope(identity.tenantId)}/providers/Svc.Tables/environments/${ENVIRONMENT}`,
  });
}
