import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { devNull } from 'node:os';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { freePorts } from '#scripts/dev/stack/free-ports.ts';
import { projectPath } from '#scripts/project.ts';
import { useStack } from '#tests/support/stack.ts';

type Ports = Readonly<Record<'PORT' | 'LAMBDA_PORT' | 'SANDBOX_PORT', string>>;

function portsOfStack(): Ports {
  const { api, lambda, sandbox } = useStack();
  const port = (url: string) => new URL(url).port;

  return { PORT: port(api), LAMBDA_PORT: port(lambda), SANDBOX_PORT: port(sandbox) };
}

/** Runs the same program as `npm run demo`. */
async function demo(ports: Ports) {
  const child = spawn(process.execPath, [projectPath('scripts/dev/demo/demo.ts')], {
    // Ignores a developer's own `.env`.
    env: { ...process.env, ENV_FILE: devNull, ...ports },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);

  return { code, stdout, stderr };
}

test('the demo runs the main user journey against the running stack, with one line per step', async () => {
  const { code, stdout, stderr } = await demo(portsOfStack());

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const numbers = stdout.split('\n').flatMap((line) => /^ +(\d+) {2}\S/.exec(line)?.[1] ?? []);
  expect(numbers.length).toBeGreaterThan(10);
  expect(numbers).toEqual(numbers.map((_, index) => String(index + 1)));
  expect(stdout).toMatch(/the colleague joins .* Grace is ADMIN of /);
  expect(stdout).toMatch(/the team gets an email .*\n.* a person replies /);
  expect(stdout).toMatch(/the customer buys .*\n.* the sale is traced back .* 1 click /);
});

test('the demo stops at the first failing step and prints its name, the reason and where to look', async () => {
  const ports = portsOfStack();

  // The API is not a sandbox, so it returns no network tokens.
  const { code, stdout, stderr } = await demo({ ...ports, SANDBOX_PORT: ports.PORT });

  expect(code).toBe(1);
  expect(stdout).toMatch(/^ +1 {2}sign up .*\n$/);
  expect(stderr).toMatch(
    /^Step 2, "connect a Facebook account", failed: .* returned 404: .*\. Check .*\.\n$/,
  );
});

test('the demo prints one line of instructions when no stack is running', async () => {
  const { PORT: port } = await freePorts({ PORT: { port: 0, variable: 'PORT' } });

  const { code, stdout, stderr } = await demo({ ...portsOfStack(), PORT: String(port) });

  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(
    `No response from http://localhost:${port}. Start the stack first: npm start\n`,
  );
});
