import type { Template } from '#scripts/build/package/template.ts';
import { referencesIn } from './references.ts';

/**
 * Resources that wait for themselves, by way of what they name: CloudFormation makes one after the
 * other, and refuses a template in which none can be the first.
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
      cycles.push(`${logicalId} waits for itself: ${cycle.join(' → ')}`);

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
