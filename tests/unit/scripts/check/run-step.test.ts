import { describe, expect, it } from 'vitest';
import { keyStringsIn } from '#scripts/build/check/check-key-strings.ts';
import { runStep } from '#scripts/build/check/run-step.ts';

describe('runStep', () => {
  it.each([
    { name: 'passes', run: async () => '', problems: '' },
    { name: 'fails', run: async () => 'two problems', problems: 'two problems' },
    {
      name: 'throws',
      run: () => Promise.reject(new Error('no such program')),
      problems: 'Error: no such program',
    },
  ])('reports the problems of a step that $name', async ({ name, run, problems }) => {
    expect(await runStep({ name, run })).toMatchObject({ name, problems });
  });

  it.each([
    ['', ''],
    ['two problems', 'two problems\n\nRun this.'],
  ])('adds the hint to problems only: %j', async (found, problems) => {
    const step = { name: 'format', run: async () => found, hint: 'Run this.' };

    expect(await runStep(step)).toMatchObject({ problems });
  });
});

describe('keyStringsIn', () => {
  it.each(["const pk = 'ORG#' + id;", 'const sk = `USER_TOKEN#` + hash;'])(
    'reports a concatenated table key: %s',
    (line) => {
      expect(keyStringsIn('lib/auth/x.ts', `\n${line}\n`)).toEqual([
        'lib/auth/x.ts:2 builds a key. Only lib/platform/db/keys/ may do this',
      ]);
    },
  );

  it.each(["import { x } from '#lib/platform/db/keys.ts';", "const color = '#FFF';", '// ORG#o'])(
    'ignores other text: %s',
    (line) => {
      expect(keyStringsIn('lib/auth/x.ts', line)).toEqual([]);
    },
  );
});
