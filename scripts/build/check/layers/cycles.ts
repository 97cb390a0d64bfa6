/** For each node, the nodes that it leads to. */
export type Graph = ReadonlyMap<string, Iterable<string>>;

/** Returns the first cycle on each path through a graph, as its nodes in order. */
export function findCycles(graph: Graph): readonly (readonly string[])[] {
  const finished = new Set<string>();
  const cycles: (readonly string[])[] = [];
  const visit = (node: string, way: readonly string[]): void => {
    const start = way.indexOf(node);
    if (start >= 0) {
      cycles.push(way.slice(start));
    }
    if (start >= 0 || finished.has(node)) {
      return;
    }
    for (const next of graph.get(node) ?? []) {
      visit(next, [...way, node]);
    }
    finished.add(node);
  };
  for (const node of graph.keys()) {
    visit(node, []);
  }

  return cycles;
}
