import { describe, expect, it } from 'vitest';
import { keyStringsIn } from '#scripts/build/check/check-key-strings.ts';
import { runSteps } from '#scripts/build/check/run-steps.ts';

describe('runSteps', () => {
  it('runs and reports all steps, even if some fail', async () => {
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

  it('limits the number of concurrent steps', async () => {
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
