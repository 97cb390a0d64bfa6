import { areaOf, type Contract } from '#schemas/contract.ts';

/**
 * Returns the method of an operation: its id without the area's word, unless that name is taken.
 */
export function methodNames(contracts: readonly Contract[]): ReadonlyMap<string, string> {
  const full = new Set(contracts.map(({ operationId }) => operationId));
  const names = contracts.map((contract) => [contract.operationId, shortened(contract)] as const);
  const uses = Map.groupBy(names, ([, name]) => name);

  return new Map(
    names.map(([id, name]) => {
      const isTaken = (uses.get(name) ?? []).length > 1 || (name !== id && full.has(name));

      return [id, isTaken ? id : name];
    }),
  );
}

function shortened(contract: Contract): string {
  const area = areaOf(contract);
  const words = new Set([area, area.replace(/s$/, '')]);
  const parts = contract.operationId.split(/(?=[A-Z])/);
  const index = parts.findIndex((part, at) => at > 0 && words.has(part.toLowerCase()));

  return parts.filter((_, at) => at !== index).join('');
}
