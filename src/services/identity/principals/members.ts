import { Problem } from "#platform/problem.ts";
import type { Context } from "../context.ts";
import { requirePrincipal } from "./principals.ts";
import { invalid } from "./rules.ts";

const MEMBERS_MAX = 10_000;

type Needs = Pick<Context, "directory" | "store">;

/** Puts a principal into a group; once is enough. Groups may be in groups, also in a circle. */
export async function addMember(context: Needs, groupId: string, memberId: string): Promise<void> {
  const { directory, store } = context;
  await directory.change(async () => {
    requireGroup(context, groupId);
    requirePrincipal(context, memberId);
    if (directory.groups.has(groupId, memberId)) return;
    if (directory.groups.membersOf(groupId).length >= MEMBERS_MAX) {
      throw new Problem(409, "MemberLimitExceeded", `A group has ${MEMBERS_MAX} members at most.`);
    }
    await store.write((transaction) =>
      transaction.insertInto("membership").values({ groupId, memberId }).execute(),
    );
    directory.groups.add(groupId, memberId);
  });
}

/** Takes a principal out of a group; it need not be in it. */
export async function removeMember(
  context: Needs,
  groupId: string,
  memberId: string,
): Promise<void> {
  const { directory, store } = context;
  await directory.change(async () => {
    requireGroup(context, groupId);
    await store.write((transaction) =>
      transaction
        .deleteFrom("membership")
        .where("groupId", "=", groupId)
        .where("memberId", "=", memberId)
        .execute(),
    );
    directory.groups.remove(groupId, memberId);
  });
}

function requireGroup(context: Needs, id: string): void {
  const { kind } = requirePrincipal(context, id);
  if (kind !== "Group") throw invalid(`Only groups have members; ${id} is a ${kind}.`);
}
