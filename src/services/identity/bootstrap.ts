import type { Context } from "./context.ts";
import { AUTH_URL_PLACEHOLDER } from "./oauth/redirect-uri.ts";
import { rowOf, type Principal } from "./principals/principal.ts";
import type { Directory } from "./principals/directory.ts";

type Needs = Pick<Context, "environment" | "store"> & { readonly directory: Directory };

/** The tenant's id, made at the first start and never changed. */
export async function ensureTenant({ environment, store }: Omit<Needs, "directory">) {
  return store.write(async (transaction) => {
    const known = await transaction
      .selectFrom("setting")
      .select("value")
      .where("name", "=", "tenant_id")
      .executeTakeFirst();
    if (known !== undefined) return known.value;
    const value = environment.newId();
    await transaction.insertInto("setting").values({ name: "tenant_id", value }).execute();
    return value;
  });
}

/** The applications that come with Atoll. They hold no secret: anybody could read it. */
export async function ensureOwnClients(needs: Needs): Promise<void> {
  const console = { redirectUris: [`${AUTH_URL_PLACEHOLDER}/console/`] };
  await ensureClient(needs, "atoll-console", { ...console, displayName: "Atoll console" });
  await ensureClient(needs, "atoll-cli", { redirectUris: [], displayName: "Atoll CLI" });
}

async function ensureClient(
  { directory, environment, store }: Needs,
  name: string,
  fields: Pick<Principal, "displayName" | "redirectUris">,
): Promise<void> {
  if (directory.findByName("ServicePrincipal", name) !== undefined) return;
  const client: Principal = {
    id: environment.newId(),
    kind: "ServicePrincipal",
    name,
    ...fields,
    enabled: true,
    passwordHash: null,
    publicClient: true,
    implicitFlow: false,
    externalIssuer: null,
    externalSubject: null,
    createdAt: environment.now().toISOString(),
  };
  await store.write((transaction) =>
    transaction.insertInto("principal").values(rowOf(client)).execute(),
  );
  directory.put(client);
}
