import { Problem } from "#platform/problem.ts";
import type { Context } from "../context.ts";
import { hashPassword } from "../login/passwords.ts";
import type { NewPrincipal, PrincipalChanges } from "../schema.ts";
import { rowOf, type Kind, type Principal } from "./principal.ts";
import { checkChanges, invalid } from "./rules.ts";

/** All of them are kept in memory. */
const PRINCIPALS_MAX = 50_000;

type Needs = Pick<Context, "directory" | "environment" | "store">;
type UpdateNeeds = Needs & Pick<Context, "principalDisabled">;

export function requirePrincipal({ directory }: Pick<Context, "directory">, id: string): Principal {
  const principal = directory.get(id);
  if (principal !== undefined) return principal;
  throw new Problem(404, "PrincipalNotFound", `There is no principal ${id}.`);
}

export async function createPrincipal(context: Needs, body: NewPrincipal): Promise<Principal> {
  const { directory, environment, store } = context;
  const { kind, ...changes } = body;
  checkChanges(kind, changes);
  const passwordHash = await hashOf(changes.password);
  return directory.change(async () => {
    if (directory.count() >= PRINCIPALS_MAX) {
      throw new Problem(
        409,
        "PrincipalLimitExceeded",
        `${PRINCIPALS_MAX} principals are the most.`,
      );
    }
    const principal = applied(
      {
        id: environment.newId(),
        kind,
        name: changes.name,
        displayName: changes.name,
        enabled: true,
        passwordHash: null,
        redirectUris: [],
        publicClient: false,
        implicitFlow: false,
        externalIssuer: null,
        externalSubject: null,
        createdAt: environment.now().toISOString(),
      },
      changes,
      passwordHash,
    );
    refuseTaken(context, principal);
    await store.write((transaction) =>
      transaction.insertInto("principal").values(rowOf(principal)).execute(),
    );
    directory.put(principal);
    return principal;
  });
}

/** Changes what is named and keeps the rest. A new password ends all sign-ins. */
export async function updatePrincipal(
  context: UpdateNeeds,
  id: string,
  changes: PrincipalChanges,
): Promise<Principal> {
  const { directory, store } = context;
  checkChanges(requirePrincipal(context, id).kind, changes);
  const passwordHash = await hashOf(changes.password);
  return directory.change(async () => {
    const before = requirePrincipal(context, id);
    const principal = applied(before, changes, passwordHash);
    refuseTaken(context, principal);
    // In turn with all other changes: of two owners, each cannot rely on the other.
    if (before.enabled && !principal.enabled) await context.principalDisabled(id);
    const { id: _id, ...columns } = rowOf(principal);
    await store.write(async (transaction) => {
      await transaction.updateTable("principal").set(columns).where("id", "=", id).execute();
      if (passwordHash === undefined && principal.enabled) return;
      await transaction.deleteFrom("session").where("principalId", "=", id).execute();
      await transaction.deleteFrom("ticket").where("principalId", "=", id).execute();
      await transaction.deleteFrom("device").where("principalId", "=", id).execute();
    });
    directory.put(principal);
    return principal;
  });
}

/** Deletes a principal with all that it is known by. */
export async function deletePrincipal(context: Needs, id: string): Promise<void> {
  const { directory, store } = context;
  await directory.change(async () => {
    requirePrincipal(context, id);
    await store.write(async (transaction) => {
      await transaction.deleteFrom("principal").where("id", "=", id).execute();
      await transaction.deleteFrom("membership").where("groupId", "=", id).execute();
      await transaction.deleteFrom("membership").where("memberId", "=", id).execute();
      await transaction.deleteFrom("credential").where("principalId", "=", id).execute();
      await transaction.deleteFrom("session").where("principalId", "=", id).execute();
      await transaction.deleteFrom("ticket").where("principalId", "=", id).execute();
      await transaction.deleteFrom("ticket").where("clientId", "=", id).execute();
      await transaction.deleteFrom("device").where("clientId", "=", id).execute();
      await transaction.deleteFrom("device").where("principalId", "=", id).execute();
    });
    directory.remove(id);
  });
}

function applied(
  before: Principal,
  changes: PrincipalChanges,
  passwordHash: string | null | undefined,
): Principal {
  const after: Principal = {
    ...before,
    ...named(changes),
    // A name that was also the display name stays so.
    ...(before.displayName === before.name && changes.name !== undefined
      ? { displayName: changes.displayName ?? changes.name }
      : {}),
    passwordHash: passwordHash === undefined ? before.passwordHash : passwordHash,
  };
  if ((after.externalIssuer === null) !== (after.externalSubject === null)) {
    throw invalid("The fields externalIssuer and externalSubject are set together or not at all.");
  }
  return after;
}

/** The fields that are stored as they come; those left out are not in it. */
function named(changes: PrincipalChanges): Partial<Principal> {
  const { password: _password, ...fields } = changes;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function refuseTaken({ directory }: Needs, principal: Principal): void {
  const { id, kind, name, externalIssuer, externalSubject } = principal;
  const sameName = directory.findByName(kind, name);
  if (sameName !== undefined && sameName.id !== id) {
    throw new Problem(409, "PrincipalExists", `There is a ${spoken(kind)} "${name}" already.`);
  }
  if (externalIssuer === null || externalSubject === null) return;
  const linked = directory.findLinked(externalIssuer, externalSubject);
  if (linked === undefined || linked.id === id) return;
  throw new Problem(
    409,
    "ExternalSubjectLinked",
    `The subject "${externalSubject}" of "${externalIssuer}" is linked to ${linked.id} already.`,
  );
}

function spoken(kind: Kind): string {
  return kind === "ServicePrincipal" ? "service principal" : kind.toLowerCase();
}

/** Undefined leaves the password alone; null takes it away. */
async function hashOf(password: string | null | undefined): Promise<string | null | undefined> {
  return typeof password === "string" ? hashPassword(password) : password;
}
