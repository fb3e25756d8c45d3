import { expectStatus, type Answer, type Connection } from "../../../bench/support/connection.ts";
import { signed, type Account } from "../../../bench/support/shared-key.ts";
import type { FoundState } from "./state.ts";

/** A blob, and how to ask for it. */
export interface Asking {
  readonly connection: Connection;
  readonly account: Account;
  readonly path: string;
}

/** Everything that the server shows of a blob. */
export async function findState(asking: Asking): Promise<FoundState> {
  const waiting = await findWaiting(asking);
  const answer = await get(asking, "");
  if (answer.status === 404) {
    const nothing = { content: undefined, metadata: undefined, tag: undefined };
    return { ...nothing, isLeased: false, waiting };
  }
  const { headers, body } = expectStatus(answer, 200, asking.path);
  const tags = expectStatus(await get(asking, "?comp=tags"), 200, `tags of ${asking.path}`);
  const metadata = headers["x-ms-meta-v"];
  return {
    content: body,
    metadata: metadata === undefined ? undefined : String(metadata),
    tag: /<Value>(.*?)<\/Value>/.exec(tags.body.toString())?.[1],
    isLeased: headers["x-ms-lease-state"] === "leased",
    waiting,
  };
}

async function findWaiting(asking: Asking): Promise<readonly string[]> {
  const answer = await get(asking, "?comp=blocklist&blocklisttype=uncommitted");
  // There is nothing of that name, or a page blob, which has no blocks.
  if (answer.status === 404 || answer.status === 409) return [];
  const { body } = expectStatus(answer, 200, `blocks of ${asking.path}`);
  const blocks = /<Name>(.*?)<\/Name><Size>(\d+)<\/Size>/g;
  return [...body.toString().matchAll(blocks)].map(([, id, size]) => `${id} ${size}`).toSorted();
}

function get({ connection, account, path }: Asking, query: string): Promise<Answer> {
  const request = { method: "GET", path: path + query, headers: {} } as const;
  return connection.send(signed(account, request));
}
