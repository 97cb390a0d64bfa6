import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  compareWithGolden,
  type Golden,
  type Metrics,
  renewGolden,
} from '#scripts/bench/golden/golden.ts';
import { goldenPath, readGolden } from '#scripts/bench/golden/golden-file.ts';
import { projectPath } from '#scripts/project.ts';

const metrics: Metrics = {
  bundleBytes: 400_000,
  importInstructions: 1_000_000,
  trips: 2,
  readUnits: 3,
  writeUnits: 0,
};

function golden(changes: Metrics = {}, node = 'v24.0.0'): Golden {
  return { node, functions: { 'get-lead': { ...metrics, ...changes } } };
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
  ] as const)('allows %s to rise by at most 2%', (metric, allowed, tooMuch) => {
    expect(compareWithGolden(golden(), golden({ [metric]: allowed }))).toEqual([]);
    expect(compareWithGolden(golden(), golden({ [metric]: tooMuch }))).toEqual([
      `get-lead: ${metric} rose from ${metrics[metric]} to ${tooMuch}`,
    ]);
  });

  test.each([
    ['trips', 3],
    ['readUnits', 3.5],
    ['writeUnits', 1],
  ] as const)('reports any increase of %s', (metric, risen) => {
    expect(compareWithGolden(golden(), golden({ [metric]: risen }))).toEqual([
      `get-lead: ${metric} rose from ${metrics[metric]} to ${risen}`,
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
    const other: Golden = { node: 'v24.0.0', functions: { 'create-lead': metrics } };

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
      functions: { ...golden().functions, gone: metrics },
    };
    const measured: Golden = { node: 'v24.0.0', functions: { 'get-lead': { trips: 1 } } };

    expect(renewGolden(known, measured)).toEqual({
      node: 'v24.0.0',
      functions: { 'get-lead': { ...metrics, trips: 1 } },
    });
  });

  test('keeps metrics that changed within their tolerance, and replaces the others', () => {
    const risen = golden({ bundleBytes: 408_000, importInstructions: 1_020_001, trips: 3 });
    const fallen = golden({ bundleBytes: 392_000, importInstructions: 979_999, readUnits: 2.5 });

    expect(renewGolden(golden(), risen)).toEqual(
      golden({ importInstructions: 1_020_001, trips: 3 }),
    );
    expect(renewGolden(golden(), fallen)).toEqual(
      golden({ importInstructions: 979_999, readUnits: 2.5 }),
    );
  });

  test('keeps shared parts and drops removed functions when only bundles are measured', () => {
    const debit = { trips: 1, readUnits: 0, writeUnits: 4 };
    const known: Golden = {
      node: 'v24.0.0',
      functions: { debit, gone: metrics, 'get-lead': metrics },
    };
    const measured: Golden = { node: 'v24.0.0', functions: { 'get-lead': { bundleBytes: 1 } } };

    expect(renewGolden(known, measured).functions).toEqual({
      debit,
      'get-lead': { ...metrics, bundleBytes: 1 },
    });
  });

  test('drops instructions of another Node version', () => {
    const measured: Golden = { node: 'v26.0.0', functions: { 'get-lead': { trips: 1 } } };
    const { importInstructions: _, ...others } = metrics;

    expect(renewGolden(golden(), measured)).toEqual({
      node: 'v26.0.0',
      functions: { 'get-lead': { ...others, trips: 1 } },
    });
  });

  test('sorts functions by name and their metrics as in the type', () => {
    const measured: Golden = {
      node: 'v24.0.0',
      functions: { b: metrics, a: { trips: 1, bundleBytes: 2 } },
    };

    expect(JSON.stringify(renewGolden(undefined, measured).functions)).toBe(
      JSON.stringify({ a: { bundleBytes: 2, trips: 1 }, b: metrics }),
    );
  });
});

test('the golden file has one line for each function', () => {
  const golden = readGolden();
  const functions = Object.entries(golden?.functions ?? {});

  expect(readFileSync(projectPath(goldenPath), 'utf8')).toBe(
    [
      '{',
      `"node": ${JSON.stringify(golden?.node)},`,
      '"functions": {',
      functions.map(([name, of]) => `"${name}": ${JSON.stringify(of)}`).join(',\n'),
      '}',
      '}',
      '',
    ].join('\n'),
  );
});
