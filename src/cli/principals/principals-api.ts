import { callApi, type ApiRequest } from "../api.ts";
import { CliError } from "../errors.ts";
import { isRecord } from "../instance.ts";

/** Where principals are kept, and a token of somebody who may change them. */
export interface PrincipalsApi {
  readonly gateway: string;
  readonly token: string;
}

/** A principal as the server shows it; what it holds beside these is passed on as it is. */
export interface Principal {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

/** What the server calls the kinds that are written with small letters here. */
export const KINDS: Readonly<Record<string, string>> = {
  user: "User",
  group: "Group",
  "service-principal": "ServicePrincipal",
};

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A request below `/admin/principals`; the path begins with a slash, or is empty. */
export function callPrincipals(
  { gateway, token }: PrincipalsApi,
  method: ApiRequest["method"],
  path: string,
  body?: object,
): Promise<unknown> {
  const url = `${gateway}/admin/principals${path}`;
  return callApi({ method, url, token, ...(body !== undefined && { body }) });
}

export async function listPrincipals(
  api: PrincipalsApi,
  filter: Readonly<Record<string, string>>,
): Promise<readonly Principal[]> {
  const query = new URLSearchParams(filter).toString();
  return asList(await callPrincipals(api, "GET", query === "" ? "" : `?${query}`)).map(asPrincipal);
}

/** The principal with this id or this name. A name that several kinds have is refused. */
export async function findPrincipal(api: PrincipalsApi, nameOrId: string): Promise<Principal> {
  if (ID.test(nameOrId)) return asPrincipal(await callPrincipals(api, "GET", `/${nameOrId}`));
  const found = await listPrincipals(api, { name: nameOrId });
  const [first, second] = found;
  if (first === undefined) {
    throw new CliError(
      `There is no principal named ${nameOrId}.`,
      "npx atoll principals list shows all of them.",
    );
  }
  if (second === undefined) return first;
  const ids = found.map(({ kind, id }) => `${kind} ${id}`).join(", ");
  throw new CliError(
    `${found.length} principals are named ${nameOrId}: ${ids}.`,
    "Name the one you mean by its id.",
  );
}

export function asPrincipal(content: unknown): Principal {
  if (isRecord(content)) {
    const { id, kind, name } = content;
    if (typeof id === "string" && typeof kind === "string" && typeof name === "string") {
      return { ...content, id, kind, name };
    }
  }
  throw unexpected();
}

/** The items of an answer that holds a list. */
export function asList(content: unknown): readonly unknown[] {
  if (isRecord(content) && Array.isArray(content["value"])) return content["value"];
  throw unexpected();
}

function unexpected(): CliError {
  return new CliError(
    "The answer about principals is not what this version of the command expects.",
    "Run the command from the version of Atoll that is running.",
  );
}
