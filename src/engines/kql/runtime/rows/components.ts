import type { Graph, GraphNode } from "./graph.ts";

/** The number of the component of each node; the first node is in component 0. */
export function componentsOf(graph: Graph, isStrong: boolean): ReadonlyMap<GraphNode, bigint> {
  const components = new Map<GraphNode, bigint>();
  let next = 0n;
  for (const node of graph.nodes) {
    if (components.has(node)) continue;
    const members = isStrong
      ? reachable(node, "forward").intersection(reachable(node, "backward"))
      : reachable(node, "both");
    for (const member of members) components.set(member, next);
    next++;
  }
  return components;
}

type Direction = "forward" | "backward" | "both";

function reachable(start: GraphNode, direction: Direction): Set<GraphNode> {
  const found = new Set([start]);
  // A set is visited in the order in which it grows.
  for (const { incoming, outgoing } of found) {
    if (direction !== "backward") for (const { target } of outgoing) found.add(target);
    if (direction !== "forward") for (const { source } of incoming) found.add(source);
  }
  return found;
}
