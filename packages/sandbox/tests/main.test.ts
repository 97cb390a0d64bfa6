import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../src/sandbox.ts';

function run(settings: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, ['packages/sandbox/src/main.ts'], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));

  return child;
}

async function failureOf(child: ChildProcess): Promise<readonly [unknown, string]> {
  const exit = once(child, 'exit');
  const message = child.stderr === null ? '' : await text(child.stderr);

  return [(await exit)[0], message];
}

test('the sandbox program prints its URL and exits on SIGTERM', async () => {
  const child = run({ SANDBOX_PORT: '0' });
  const [line] = child.stdout === null ? [] : await once(child.stdout, 'data');
  const url = /Sandbox: (\S+)/.exec(String(line))?.[1] ?? '';

  expect((await fetch(url)).status).toBe(200);

  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
});

test('the sandbox program prints a one-line hint for a port in use and for an invalid setting', async () => {
  const { port, close } = await startSandbox({ port: 0 });
  onTestFinished(close);

  expect(await failureOf(run({ SANDBOX_PORT: String(port) }))).toEqual([
    1,
    `Port ${port} is in use. Set SANDBOX_PORT to a free port.\n`,
  ]);
  expect(await failureOf(run({ SANDBOX_PORT: '0', SANDBOX_SECRETS: '[' }))).toEqual([
    1,
    'SANDBOX_SECRETS: must be a JSON object with string values\n',
  ]);
});
