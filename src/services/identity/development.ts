import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Type, type Static } from "typebox";
import { Value } from "typebox/value";
import { replaceFile } from "#platform/durable-file.ts";
import type { Context } from "./context.ts";
import { createCredential, findApiKey } from "./principals/credentials.ts";
import type { Kind, Principal } from "./principals/principal.ts";
import { createPrincipal, updatePrincipal } from "./principals/principals.ts";
import { hashSecret, newSecret } from "./secrets.ts";

const ADMIN = "admin";
const CLIENT = "atoll-development";
/** Any port of this machine: a program that is being written listens wherever it likes. */
const REDIRECT_URIS = ["http://127.0.0.1", "http://localhost"].flatMap((host) => {
  return [host, `${host}/`, `${host}/callback`];
});
const OWNER_ONLY = 0o600;

export const Development = Type.Object({
  admin: Type.Object({ username: Type.String(), password: Type.String() }),
  client: Type.Object({ client_id: Type.String(), client_secret: Type.String() }),
  inference_api_key: Type.String(),
});
/** Credentials for developing on this machine, shown to whoever may read Atoll's files. */
export type Development = Static<typeof Development>;

type Needs = Pick<
  Context,
  "directory" | "environment" | "principalDisabled" | "store" | "tenantId"
>;

/** The credentials of the file, or new ones when there are none or they are not good any more. */
export async function ensureDevelopment(needs: Needs, dir: string): Promise<Development> {
  const file = join(dir, "development.json");
  const known = await readDevelopment(file);
  if (known !== undefined && isGood(needs, known)) return known;
  const made = await makeDevelopment(needs);
  // The principals come first: a file without them would be found out at the next start.
  await replaceFile({
    path: file,
    content: `${JSON.stringify(made, null, 2)}\n`,
    mode: OWNER_ONLY,
  });
  return made;
}

/** The development principals, who are to own everything. */
export function ownersOf(
  { directory }: Pick<Needs, "directory">,
  { admin, client }: Development,
): readonly Principal[] {
  const owners = [directory.findByName("User", admin.username), directory.get(client.client_id)];
  return owners.filter((principal) => principal !== undefined);
}

function isGood(needs: Needs, development: Development): boolean {
  const { client, inference_api_key: key } = development;
  const credential = needs.directory.findCredential(hashSecret(client.client_secret));
  const isAll = ownersOf(needs, development).length === 2;
  return (
    isAll &&
    credential?.principalId === client.client_id &&
    findApiKey(needs, key)?.objectId === client.client_id
  );
}

async function makeDevelopment(needs: Needs): Promise<Development> {
  const password = newSecret(needs.environment);
  const admin = await ensure(needs, "User", ADMIN);
  await updatePrincipal(needs, admin.id, { password, enabled: true });
  const client = await ensure(needs, "ServicePrincipal", CLIENT);
  const fields = { redirectUris: REDIRECT_URIS, implicitFlow: true, enabled: true };
  await updatePrincipal(needs, client.id, fields);
  const description = "development";
  const { secret } = await createCredential(needs, client.id, "secret", { description });
  const { secret: key } = await createCredential(needs, client.id, "apiKey", { description });
  return {
    admin: { username: ADMIN, password },
    client: { client_id: client.id, client_secret: secret },
    inference_api_key: key,
  };
}

async function ensure(needs: Needs, kind: Kind, name: string): Promise<Principal> {
  return needs.directory.findByName(kind, name) ?? createPrincipal(needs, { kind, name });
}

async function readDevelopment(file: string): Promise<Development | undefined> {
  try {
    return Value.Parse(Development, JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new Error(`The file ${file} is damaged; remove it, and new credentials are made.`, {
      cause: error,
    });
  }
}
