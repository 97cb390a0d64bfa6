import { describe, expect, it } from 'vitest';
import { checkLayers } from '#scripts/build/check/layers/check-layers.ts';
import { findCycles } from '#scripts/build/check/layers/cycles.ts';
import { type Import, importsIn } from '#scripts/build/check/layers/imports.ts';

function imports(from: string, to: string, isTypeOnly = false): Import {
  return { from, to, isTypeOnly };
}

describe('importsIn', () => {
  it('finds imports of files, packages and modules of Node', () => {
    const text = [
      "import { readFile } from 'node:fs/promises';",
      "import jwt from 'jsonwebtoken';",
      "import { DynamoDBClient } from '@aws-sdk/client-dynamodb/dist';",
      'import {',
      '  first,',
      '  type Second,',
      "} from '#lib/platform/ids.ts';",
      "export * from './write.ts';",
      "import '../effects.ts';",
      "import data from './data.json' with { type: 'json' };",
    ].join('\n');

    expect(importsIn('lib/platform/db/read.ts', text)).toEqual(
      expect.arrayContaining([
        imports('lib/platform/db/read.ts', 'node:fs/promises'),
        imports('lib/platform/db/read.ts', 'node_modules/jsonwebtoken/'),
        imports('lib/platform/db/read.ts', 'node_modules/@aws-sdk/client-dynamodb/'),
        imports('lib/platform/db/read.ts', 'lib/platform/ids.ts'),
        imports('lib/platform/db/read.ts', 'lib/platform/db/write.ts'),
        imports('lib/platform/db/read.ts', 'lib/platform/effects.ts'),
        imports('lib/platform/db/read.ts', 'lib/platform/db/data.json'),
      ]),
    );
  });

  it.each([
    ["import type { Write } from './write.ts';", true],
    ["export type { Write } from './write.ts';", true],
    ["type Kit = typeof import('./write.ts');", true],
    ["import { type Write } from './write.ts';", false],
    ["const kit = await import('./write.ts');", false],
  ])('distinguishes whether only types are imported: %s', (text, isTypeOnly) => {
    expect(importsIn('lib/platform/db/read.ts', text)).toEqual([
      imports('lib/platform/db/read.ts', 'lib/platform/db/write.ts', isTypeOnly),
    ]);
  });

  it('ignores comments and texts', () => {
    const text = [
      'export const place = {',
      "  /** Where it comes from 'outside' */",
      '  text: "from \'./write.ts\'",',
      '};',
    ].join('\n');

    expect(importsIn('lib/platform/db/read.ts', text)).toEqual([]);
  });
});

describe('checkLayers', () => {
  it.each([
    ['functions/leads/a.ts', 'functions/leads/b.ts'],
    ['functions/leads/a.ts', 'scripts/project.ts'],
    ['lib/platform/ids.ts', 'functions/leads/a.ts'],
    ['lib/platform/ids.ts', 'lib/vendors/stripe/client.ts'],
    ['lib/platform/ids.ts', 'lib/features/leads/leads.ts'],
    ['lib/vendors/stripe/client.ts', 'lib/features/leads/leads.ts'],
    ['lib/features/leads/leads.ts', 'lib/platform/db/keys.ts'],
    ['lib/features/leads/leads.ts', 'scripts/project.ts'],
    ['lib/features/leads/leads.ts', 'node_modules/stripe/'],
    ['lib/features/leads/leads.ts', 'node_modules/vitest/'],
    ['lib/features/leads/leads.ts', 'node_modules/unlisted/'],
    ['schemas/leads.ts', 'lib/platform/ids.ts'],
    ['packages/web/src/pages/leads/leads.tsx', 'lib/platform/ids.ts'],
    ['schemas/leads.ts', 'node_modules/jose/'],
    ['scripts/project.ts', 'tests/support/api.ts'],
  ])('forbids that %s imports %s', (from, to) => {
    expect(checkLayers([imports(from, to)])[0]).toContain(`${from} imports ${to}: `);
  });

  it.each([
    imports('functions/leads/a.ts', 'lib/features/leads/leads.ts'),
    imports('lib/features/leads/leads.ts', 'lib/vendors/stripe/client.ts'),
    imports('lib/features/leads/leads.ts', 'node:crypto'),
    imports('lib/features/health/version.ts', 'package.json'),
    imports('lib/vendors/stripe/client.ts', 'node_modules/stripe/'),
    imports('lib/platform/http/endpoint.ts', 'node_modules/@types/aws-lambda/', true),
    imports('schemas/leads.ts', 'node_modules/zod/'),
    imports('scripts/project.ts', 'lib/platform/ids.ts'),
  ])('allows that $from imports $to', (allowed) => {
    expect(checkLayers([allowed])).toEqual([]);
  });

  it.each([
    ['values', false],
    ['types', true],
  ])('forbids files in a circle of %s', (_, isTypeOnly) => {
    expect(
      checkLayers([
        imports('scripts/a.ts', 'scripts/b.ts'),
        imports('scripts/b.ts', 'scripts/c.ts'),
        imports('scripts/c.ts', 'scripts/a.ts', isTypeOnly),
      ]),
    ).toEqual(['files in a circle: scripts/a.ts → scripts/b.ts → scripts/c.ts → scripts/a.ts']);
  });

  it('forbids features in a circle, wherever their files are, even for types', () => {
    expect(
      checkLayers([
        imports('lib/features/a/deep/one.ts', 'lib/features/b/deep/two.ts'),
        imports('lib/features/b/three.ts', 'lib/features/c/four.ts'),
        imports('lib/features/c/five.ts', 'lib/features/a/other/six.ts', true),
      ]),
    ).toContain(
      'no folders of lib import each other: lib/features/a → lib/features/b → lib/features/c → lib/features/a',
    );
  });

  it('forbids folders of one feature in a circle', () => {
    expect(
      checkLayers([
        imports('lib/features/a/inbox/one.ts', 'lib/features/a/outbound/two.ts'),
        imports('lib/features/a/outbound/three.ts', 'lib/features/a/inbox/four.ts'),
      ]),
    ).toEqual([
      'no folders of lib import each other: lib/features/a/inbox → lib/features/a/outbound → lib/features/a/inbox',
    ]);
  });

  it('allows that a folder imports its own folders, or they import it', () => {
    const upward = [imports('lib/features/a/deep/one.ts', 'lib/features/a/two.ts')];
    const downward = [imports('lib/features/a/two.ts', 'lib/features/a/deep/one.ts')];

    expect([checkLayers(upward), checkLayers(downward)]).toEqual([[], []]);
  });
});

describe('findCycles', () => {
  it('finds a circle that does not start at the first node', () => {
    const graph = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['b']],
      ['d', []],
    ]);

    expect(findCycles(graph)).toEqual([['b', 'c']]);
  });
});
