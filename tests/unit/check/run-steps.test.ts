import { describe, expect, it } from 'vitest';
import { keyStringsIn } from '#scripts/check/check-key-strings.ts';
import { runSteps } from '#scripts/check/run-steps.ts';

describe('the steps of the check', () => {
  it('are all run, and told of one by one, though some fail', async () => {
    const told: string[] = [];
    const outcomes = await runSteps(
      [
        { name: 'passes', run: async () => '' },
        { name: 'fails', run: async () => 'two problems' },
        { name: 'breaks', run: () => Promise.reject(new Error('no such program')) },
        { name: 'passes too', run: async () => '' },
      ],
      { atOnce: 2, onEnd: ({ name }) => told.push(name) },
    );

    expect(told.toSorted()).toEqual(['breaks', 'fails', 'passes', 'passes too']);
    expect(Object.fromEntries(outcomes.map(({ name, problems }) => [name, problems]))).toEqual({
      passes: '',
      fails: 'two problems',
      breaks: 'Error: no such program',
      'passes too': '',
    });
  });

  it('run so many at a time and no more', async () => {
    let running = 0;
    let most = 0;
    const step = {
      name: 'step',
      run: async () => {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;

        return '';
      },
    };
    await runSteps([step, step, step, step, step], { atOnce: 2, onEnd: () => undefined });

    expect(most).toBe(2);
  });
});

describe('a key of the table', () => {
  it.each(["const pk = 'ORG#' + id;", 'const sk = `USER_TOKEN#` + hash;'])(
    'is found where it is put together: %s',
    (line) => {
      expect(keyStringsIn('lib/auth/x.ts', `\n${line}\n`)).toEqual([
        'lib/auth/x.ts:2 builds a key. Only lib/db/keys.ts may do this',
      ]);
    },
  );

  it.each(["import { x } from '#lib/db/keys.ts';", "const color = '#FFF';", '// ORG#o'])(
    'is not seen where there is none: %s',
    (line) => {
      expect(keyStringsIn('lib/auth/x.ts', line)).toEqual([]);
    },
  );
});
