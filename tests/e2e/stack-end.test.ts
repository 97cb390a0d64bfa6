import { afterEach, describe, expect, test, vi } from 'vitest';
import { alive, descendants, killStacks, startStack, untilUp } from '#tests/support/own-stack.ts';

afterEach(killStacks);

describe('stopping the stack', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'stops all processes on %s, even during startup',
    async (signal) => {
      const stack = await startStack();
      const started = await vi.waitFor(
        async () => {
          const found = await descendants(stack.child.pid);
          expect(found.map((one) => one.command).join('\n')).toMatch(/DynamoDBLocal\.jar/);

          return found;
        },
        { timeout: 10_000, interval: 50 },
      );

      stack.child.kill(signal);

      expect(await stack.ended).toBe(0);
      await vi.waitFor(async () => expect(await alive(started)).toEqual([]), { timeout: 10_000 });
    },
  );

  test.each([
    ['DynamoDBLocal.jar', 'DynamoDB Local exited.'],
    ['serverless.js', /^The functions exited/],
  ])('stops everything and reports it when %s crashes', async (command, reason) => {
    const stack = await startStack();
    await untilUp(stack);
    const started = await descendants(stack.child.pid);
    const victim = started.findLast((one) => one.command.includes(command));

    process.kill(victim?.pid ?? 0, 'SIGKILL');

    expect(await stack.ended).toBe(1);
    const said = stack.stderr().replace('Social Leads: ', '').trim();
    expect(said).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason));
    expect(await alive(started)).toEqual([]);
  });

  test('leaves no processes behind when it crashes itself', async () => {
    const stack = await startStack();
    await untilUp(stack);
    const started = await descendants(stack.child.pid);

    stack.child.kill('SIGKILL');

    await stack.ended;
    await vi.waitFor(async () => expect(await alive(started)).toEqual([]), { timeout: 10_000 });
  });
});
