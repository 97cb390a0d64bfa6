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

describe('figures against the golden file', () => {
  test('nothing is said of what is the same, or has fallen', () => {
    const fallen = golden({ bundleBytes: 1, importInstructions: 1, trips: 1, readUnits: 0.5 });

    expect(compareWithGolden(golden(), golden())).toEqual([]);
    expect(compareWithGolden(golden(), fallen)).toEqual([]);
  });

  test.each([
    ['bundleBytes', 408_000, 408_001],
    ['importInstructions', 1_020_000, 1_020_001],
  ] as const)('%s may rise by 2 % and no further', (figure, allowed, tooMuch) => {
    expect(compareWithGolden(golden(), golden({ [figure]: allowed }))).toEqual([]);
    expect(compareWithGolden(golden(), golden({ [figure]: tooMuch }))).toEqual([
      `get-lead: ${figure} rose from ${figures[figure]} to ${tooMuch}`,
    ]);
  });

  test.each([
    ['trips', 3],
    ['readUnits', 3.5],
    ['writeUnits', 1],
  ] as const)('%s may not rise at all', (figure, risen) => {
    expect(compareWithGolden(golden(), golden({ [figure]: risen }))).toEqual([
      `get-lead: ${figure} rose from ${figures[figure]} to ${risen}`,
    ]);
  });

  test('instructions of another Node are not compared', () => {
    const ofAnother = golden({ importInstructions: 9_000_000, trips: 3 }, 'v26.0.0');

    expect(compareWithGolden(golden(), ofAnother)).toEqual(['get-lead: trips rose from 2 to 3']);
  });

  test('what was not measured this time is not compared', () => {
    const quick: Golden = { node: 'v24.0.0', functions: { 'get-lead': { bundleBytes: 400_000 } } };

    expect(compareWithGolden(golden(), quick)).toEqual([]);
  });

  test('a function on one side alone is told', () => {
    const other: Golden = { node: 'v24.0.0', functions: { 'create-lead': figures } };

    expect(compareWithGolden(golden(), other)).toEqual([
      'create-lead has no metrics in the golden file',
      'get-lead has metrics in the golden file but no longer exists',
    ]);
  });
});

describe('renewing the golden file', () => {
  test('figures that could not be measured stay, those of functions that are gone do not', () => {
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

  test('a part that functions share stays where bundles alone are measured, and no function does that is gone', () => {
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

  test('instructions of another Node do not stay', () => {
    const measured: Golden = { node: 'v26.0.0', functions: { 'get-lead': { trips: 1 } } };
    const { importInstructions: _, ...others } = figures;

    expect(renewGolden(golden(), measured)).toEqual({
      node: 'v26.0.0',
      functions: { 'get-lead': { ...others, trips: 1 } },
    });
  });

  test('functions stand in the order of their names', () => {
    const measured: Golden = { node: 'v24.0.0', functions: { b: figures, a: figures } };

    expect(Object.keys(renewGolden(undefined, measured).functions)).toEqual(['a', 'b']);
  });
});
