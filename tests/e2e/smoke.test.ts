import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { sandboxClient } from '#packages/sandbox/src/client.ts';
import { stepsOf } from '#scripts/dev/demo/step.ts';
import { smoke } from '#scripts/operations/smoke/smoke.ts';
import { projectPath } from '#scripts/project.ts';
import { useStack } from '#tests/support/stack.ts';

/** Runs the same program as `npm run smoke`. */
async function runSmoke(...options: readonly string[]) {
  const script = projectPath('scripts/operations/smoke/main.ts');
  const child = spawn(process.execPath, [script, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);

  return { code, stdout, stderr };
}

test('the smoke test signs up, reads, and deletes the organization it created', async () => {
  const { code, stdout, stderr } = await runSmoke('--url', useStack().api);

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const steps = stdout.split('\n').flatMap((line) => /^ +\d+ {2}(.+?) {2}/.exec(line)?.[1] ?? []);
  expect(steps).toEqual([
    'the service is healthy',
    'the API document is served',
    'anonymous calls are rejected',
    'sign up',
    'read the account',
    'delete the organization',
  ]);
});

test('the smoke test only reads unless --write is set', async () => {
  const lines: string[] = [];
  const { api, sandbox } = useStack();
  const signups = async () =>
    (await sandboxClient(sandbox).mails()).filter(({ to }) => to.startsWith('success+smoke-'))
      .length;
  const before = await signups();

  await smoke(
    { url: api, isWriting: false, paymentMethodId: 'pm_card_visa' },
    stepsOf((line) => lines.push(line), ''),
  );

  expect(lines).toHaveLength(3);
  expect(await signups()).toBe(before);
});

test('the smoke test reports the failing step and exits with 1', async () => {
  const { code, stderr } = await runSmoke('--url', useStack().sandbox);

  expect(code).toBe(1);
  expect(stderr).toMatch(/^Step 1, "the service is healthy", failed: .* returned 404: /);
});

test('the smoke test reports the missing address in one line', async () => {
  expect(await runSmoke()).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Pass the address of the service: npm run smoke -- --url https://…\n',
  });
});
