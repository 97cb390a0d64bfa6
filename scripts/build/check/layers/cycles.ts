/** By node, what it leads to. */
export type Graph = ReadonlyMap<string, Iterable<string>>;

/** Returns the first circle on each way through a graph, as the nodes on it in order. */
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
