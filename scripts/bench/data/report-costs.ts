import { type Column, formatTable } from '../table.ts';

export type Cost = {
  readonly trips: number;
  readonly readUnits: number;
  readonly writeUnits: number;
};

/** An operation's cost at each size. Sizes where it does not apply are absent. */
export type OperationCosts = {
  readonly operation: string;
  readonly costs: ReadonlyMap<number, Cost>;
};

const unitsOf = ({ readUnits, writeUnits }: Cost): number => readUnits + writeUnits;

export function formatCosts(
  sizes: readonly number[],
  operations: readonly OperationCosts[],
): string {
  const ofSizes = sizes.map(
    (size): Column<OperationCosts> => ({
      title: size.toLocaleString('en'),
      value: ({ costs }) => formatCost(costs.get(size)),
    }),
  );

  return formatTable(operations, [
    { title: 'operation', value: ({ operation }) => operation },
    ...ofSizes,
    { title: '× trips', value: ({ costs }) => growthOf(costs, ({ trips }) => trips), digits: 2 },
    { title: '× units', value: ({ costs }) => growthOf(costs, unitsOf), digits: 2 },
  ]);
}

function formatCost(cost: Cost | undefined): string {
  return cost ? `${cost.trips} / ${cost.readUnits} / ${cost.writeUnits}` : '-';
}

/** The ratio of the largest to the smallest value. */
function growthOf(costs: ReadonlyMap<number, Cost>, metricOf: (cost: Cost) => number): number {
  const metrics = [...costs.values()].map(metricOf);

  return Math.max(...metrics) / Math.min(...metrics);
}
