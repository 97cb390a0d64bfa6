import { describe, expect, test } from 'vitest';
import {
  compareWithGolden,
  type Figures,
  type Golden,
  renewGolden,
} from '#scripts/bench/golden/golden.ts';

const figures: Figures = {
  bundleBytes: 400_000,
  importInstructions: 1_000_000,
  trips: 2,
  readUnits: 3,
  writeUnits: 0,
};

function golden(changes: Figures = {}, node = 'v24.0.0'): Golden {
  return { node, functions: { 'get-lead': { ...figures, ...changes } } };
}

describe('compareWithGolden', () => {
  test('reports nothing for equal or lower metrics', () => {
    const fallen = golden({ bundleBytes: 1, importInstructions: 1, trips: 1, readUnits: 0.5 });

    expect(compareWithGolden(golden(), golden())).toEqual([]);
    expect(compareWithGolden(golden(), fallen)).toEqual([]);
  });

  test.each([
    ['bundleBytes', 408_000, 408_001],
    ['importInstructions', 1_020_000, 1_020_001],
  ] as const)('allows %s to rise by at most 2%', (figure, allowed, tooMuch) => {
    expect(compareWithGolden(golden(), golden({ [figure]: allowed }))).toEqual([]);
    expect(compareWithGolden(golden(), golden({ [figure]: tooMuch }))).toEqual([
      `get-lead: ${figure} rose from ${figures[figure]} to ${tooMuch}`,
    ]);
  });

  test.each([
    ['trips', 3],
    ['readUnits', 3.5],
    ['writeUnits', 1],
  ] as const)('reports any increase of %s', (figure, risen) => {
    expect(compareWithGolden(golden(), golden({ [figure]: risen }))).toEqual([
      `get-lead: ${figure} rose from ${figures[figure]} to ${risen}`,
    ]);
  });

  test('does not compare instructions of another Node version', () => {
    const ofAnother = golden({ importInstructions: 9_000_000, trips: 3 }, 'v26.0.0');

    expect(compareWithGolden(golden(), ofAnother)).toEqual(['get-lead: trips rose from 2 to 3']);
  });

  test('does not compare missing metrics', () => {
    const quick: Golden = { node: 'v24.0.0', functions: { 'get-lead': { bundleBytes: 400_000 } } };

    expect(compareWithGolden(golden(), quick)).toEqual([]);
  });

  test('reports functions that exist on only one side', () => {
    const other: Golden = { node: 'v24.0.0', functions: { 'create-lead': figures } };

    expect(compareWithGolden(golden(), other)).toEqual([
      'create-lead has no metrics in the golden file',
      'get-lead has metrics in the golden file but no longer exists',
    ]);
  });
});

describe('renewGolden', () => {
  test('keeps metrics that were not measured and drops removed functions', () => {
    const known: Golden = {
      node: 'v24.0.0',
      functions: { ...golden().functions, gone: figures },
    };
    const measured: Golden = { node: 'v24.0.0', functions: { 'get-lead': { trips: 1 } } };

    expect(renewGolden(known, measured)).toEqual({
      node: 'v24.0.0',
      functions: { 'get-lead': { ...figures, trips: 1 } },
    });
  });

  test('keeps shared parts and drops removed functions when only bundles are measured', () => {
    const debit = { trips: 1, readUnits: 0, writeUnits: 4 };
    const known: Golden = {
      node: 'v24.0.0',
      functions: { debit, gone: figures, 'get-lead': figures },
    };
    const measured: Golden = { node: 'v24.0.0', functions: { 'get-lead': { bundleBytes: 1 } } };

    expect(renewGolden(known, measured).functions).toEqual({
      debit,
      'get-lead': { ...figures, bundleBytes: 1 },
    });
  });

  test('drops instructions of another Node version', () => {
    const measured: Golden = { node: 'v26.0.0', functions: { 'get-lead': { trips: 1 } } };
    const { importInstructions: _, ...others } = figures;

    expect(renewGolden(golden(), measured)).toEqual({
      node: 'v26.0.0',
      functions: { 'get-lead': { ...others, trips: 1 } },
    });
  });

  test('sorts functions by name', () => {
    const measured: Golden = { node: 'v24.0.0', functions: { b: figures, a: figures } };

    expect(Object.keys(renewGolden(undefined, measured).functions)).toEqual(['a', 'b']);
  });
});
