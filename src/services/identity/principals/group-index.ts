export interface GroupIndex {
  readonly add: (groupId: string, memberId: string) => void;
  readonly remove: (groupId: string, memberId: string) => void;
  /** Forgets a principal as a group and as a member. */
  readonly forget: (id: string) => void;
  readonly has: (groupId: string, memberId: string) => boolean;
  /** The direct members. */
  readonly membersOf: (groupId: string) => readonly string[];
  /** Every group that the principal is in, through other groups too; cycles end by themselves. */
  readonly groupsOf: (id: string) => readonly string[];
}

/** Who is in which group, in memory, because every access decision asks for it. */
export function createGroupIndex(): GroupIndex {
  const members = new Map<string, Set<string>>();
  const parents = new Map<string, Set<string>>();
  // Whatever changes may concern anyone, through groups in groups: all answers are forgotten.
  const answers = new Map<string, readonly string[]>();

  function remove(groupId: string, memberId: string): void {
    members.get(groupId)?.delete(memberId);
    parents.get(memberId)?.delete(groupId);
    answers.clear();
  }

  return {
    add(groupId, memberId) {
      entry(members, groupId).add(memberId);
      entry(parents, memberId).add(groupId);
      answers.clear();
    },
    remove,
    forget(id) {
      for (const memberId of members.get(id) ?? []) remove(id, memberId);
      for (const groupId of parents.get(id) ?? []) remove(groupId, id);
      members.delete(id);
      parents.delete(id);
      answers.clear();
    },
    has: (groupId, memberId) => members.get(groupId)?.has(memberId) ?? false,
    membersOf: (groupId) => [...(members.get(groupId) ?? [])],
    groupsOf(id) {
      const known = answers.get(id);
      if (known !== undefined) return known;
      const answer = reach(parents, id);
      // Only ids that are in a group are kept, so there are no more answers than members.
      if (parents.has(id)) answers.set(id, answer);
      return answer;
    },
  };
}

function reach(parents: ReadonlyMap<string, ReadonlySet<string>>, id: string): readonly string[] {
  const seen = new Set<string>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const groupId of parents.get(next) ?? []) {
      if (seen.has(groupId)) continue;
      seen.add(groupId);
      open.push(groupId);
    }
  }
  return [...seen];
}

function entry(map: Map<string, Set<string>>, key: string): Set<string> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = new Set<string>();
  map.set(key, made);
  return made;
}
