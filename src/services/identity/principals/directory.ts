import type { Kysely } from "kysely";
import type { CredentialRow, IdentityTables } from "../store.ts";
import { createGroupIndex, type GroupIndex } from "./group-index.ts";
import { nameKey, principalOf, type Kind, type Principal } from "./principal.ts";

/** Everybody, in memory: it is asked at every request. The store follows before it changes. */
export interface Directory {
  readonly get: (id: string) => Principal | undefined;
  readonly all: () => readonly Principal[];
  readonly count: () => number;
  readonly findByName: (kind: Kind, name: string) => Principal | undefined;
  readonly findLinked: (issuer: string, subject: string) => Principal | undefined;
  readonly put: (principal: Principal) => void;
  readonly remove: (id: string) => void;
  readonly groups: GroupIndex;
  readonly findCredential: (hash: string) => CredentialRow | undefined;
  readonly credentialsOf: (principalId: string, purpose: string) => readonly CredentialRow[];
  readonly addCredential: (credential: CredentialRow) => void;
  readonly removeCredential: (credential: CredentialRow) => void;
  /** Runs one change after the other, so that none is decided on what another is changing. */
  readonly change: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

export async function loadDirectory(db: Kysely<IdentityTables>): Promise<Directory> {
  const directory = createDirectory();
  const principals = await db.selectFrom("principal").selectAll().execute();
  for (const row of principals) directory.put(principalOf(row));
  const memberships = await db.selectFrom("membership").selectAll().execute();
  for (const { groupId, memberId } of memberships) directory.groups.add(groupId, memberId);
  const credentials = await db.selectFrom("credential").selectAll().execute();
  for (const credential of credentials) directory.addCredential(credential);
  return directory;
}

function createDirectory(): Directory {
  const byId = new Map<string, Principal>();
  const byName = new Map<string, Principal>();
  const byLink = new Map<string, Principal>();
  const groups = createGroupIndex();

  function forget(id: string): void {
    const known = byId.get(id);
    if (known === undefined) return;
    byId.delete(id);
    byName.delete(nameOf(known.kind, known.name));
    byLink.delete(linkOf(known.externalIssuer, known.externalSubject));
  }

  const credentials = createCredentialIndex();
  return {
    ...credentials,
    groups,
    get: (id) => byId.get(id),
    all: () => [...byId.values()],
    count: () => byId.size,
    findByName: (kind, name) => byName.get(nameOf(kind, name)),
    findLinked: (issuer, subject) => byLink.get(linkOf(issuer, subject)),
    put(principal) {
      forget(principal.id);
      byId.set(principal.id, principal);
      byName.set(nameOf(principal.kind, principal.name), principal);
      if (principal.externalIssuer === null) return;
      byLink.set(linkOf(principal.externalIssuer, principal.externalSubject), principal);
    },
    remove(id) {
      forget(id);
      groups.forget(id);
      credentials.removeCredentialsOf(id);
    },
    change: createQueue(),
  };
}

function createCredentialIndex() {
  const byHash = new Map<string, CredentialRow>();
  const byPrincipal = new Map<string, Map<string, CredentialRow>>();
  return {
    findCredential: (hash: string) => byHash.get(hash),
    credentialsOf(principalId: string, purpose: string) {
      const own = [...(byPrincipal.get(principalId)?.values() ?? [])];
      return own.filter((credential) => credential.purpose === purpose);
    },
    addCredential(credential: CredentialRow) {
      byHash.set(credential.hash, credential);
      const own = byPrincipal.get(credential.principalId) ?? new Map<string, CredentialRow>();
      byPrincipal.set(credential.principalId, own.set(credential.id, credential));
    },
    removeCredential({ hash, principalId, id }: CredentialRow) {
      byHash.delete(hash);
      byPrincipal.get(principalId)?.delete(id);
    },
    removeCredentialsOf(principalId: string) {
      for (const { hash } of byPrincipal.get(principalId)?.values() ?? []) byHash.delete(hash);
      byPrincipal.delete(principalId);
    },
  };
}

function createQueue(): Directory["change"] {
  let last: Promise<unknown> = Promise.resolve();
  return function change<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

function nameOf(kind: Kind, name: string): string {
  return `${kind} ${nameKey(name)}`;
}

function linkOf(issuer: string | null, subject: string | null): string {
  return JSON.stringify([issuer, subject]);
}
