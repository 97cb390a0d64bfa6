import type { Template } from '#scripts/build/package/template.ts';
import { referencesIn } from './references.ts';

/**
 * Finds resources that depend on themselves through other resources. CloudFormation rejects
 * circular dependencies.
 */
export function findCycles({ Resources: resources }: Template): string[] {
  const namedBy = new Map(
    Object.entries(resources).map(([logicalId, resource]) => [
      logicalId,
      new Set(
        referencesIn(resource, logicalId)
          .filter(({ kind }) => kind !== 'Condition')
          .map(({ name }) => name),
      ),
    ]),
  );
  const clear = new Set<string>();
  const cycles: string[] = [];
  const visit = (logicalId: string, way: readonly string[]): void => {
    if (way.includes(logicalId)) {
      const cycle = [...way.slice(way.indexOf(logicalId)), logicalId];
      cycles.push(`${logicalId} depends on itself: ${cycle.join(' → ')}`);

      return;
    }
    if (clear.has(logicalId)) {
      return;
    }
    for (const name of namedBy.get(logicalId) ?? []) {
      visit(name, [...way, logicalId]);
    }
    clear.add(logicalId);
  };
  for (const logicalId of namedBy.keys()) {
    visit(logicalId, []);
  }

  return cycles;
}
