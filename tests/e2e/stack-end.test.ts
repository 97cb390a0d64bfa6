import { afterEach, describe, expect, test, vi } from 'vitest';
import { runsAll } from '#tests/support/depth.ts';
import { alive, descendants, killStacks, startStack, untilUp } from '#tests/support/own-stack.ts';
import { patiently } from '#tests/support/patience.ts';

afterEach(killStacks);

/** All have the same handler, and another test stops a stack with SIGINT once it is up. */
const signals = runsAll ? (['SIGINT', 'SIGTERM', 'SIGHUP'] as const) : (['SIGTERM'] as const);

describe('stopping the stack', () => {
  test.each(signals)('stops all processes on %s, even during startup', async (signal) => {
    const stack = await startStack();
    const started = await vi.waitFor(async () => {
      const found = await descendants(stack.child.pid);
      expect(found.map((one) => one.command).join('\n')).toMatch(/serverless\.js/);

      return found;
    }, patiently);

    stack.child.kill(signal);

    expect(await stack.ended).toBe(0);
    await expect.poll(() => alive(started)).toEqual([]);
  });

  test('stops everything and reports it when the functions crash', async () => {
    const stack = await startStack();
    await untilUp(stack);
    const started = await descendants(stack.child.pid);
    const victim = started.findLast((one) => one.command.includes('serverless.js'));

    process.kill(victim?.pid ?? 0, 'SIGKILL');

    expect(await stack.ended).toBe(1);
    expect(stack.stderr().replace('Social Leads: ', '')).toMatch(/^The functions exited/);
    await expect.poll(() => alive(started)).toEqual([]);
  });
});
