import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePorts } from '#scripts/dev/stack/free-ports.ts';
import { type Functions, startFunctions } from '#scripts/dev/stack/functions-process.ts';
import { invokeFunction } from '#scripts/dev/stack/invoke-function.ts';
import { patiently } from '#tests/support/patience.ts';

const free = { port: 0, variable: 'PORT' };
const folder = (name: string) => fileURLToPath(new URL(`../../support/${name}`, import.meta.url));
const lines: string[] = [];

async function start(
  serviceFolder: string,
): Promise<{ functions: Functions; api: string; lambda: string }> {
  const ports = await freePorts({ api: free, lambda: free, websocket: free });
  const functions = await startFunctions({
    apiPort: ports.api,
    lambdaPort: ports.lambda,
    websocketPort: ports.websocket,
    environment: { ...process.env, TABLE_NAME: 'local-table' },
    stage: 'local',
    region: 'us-east-1',
    serviceFolder,
    verbose: false,
    onLine: (line) => lines.push(line),
  });

  return {
    functions,
    api: `http://localhost:${ports.api}`,
    lambda: `http://localhost:${ports.lambda}`,
  };
}

describe('functions under serverless-offline', () => {
  let running: Awaited<ReturnType<typeof start>>;

  beforeAll(async () => {
    running = await start(folder('tiny-service'));
  });

  afterAll(async () => {
    await running.functions.close();
  });

  test('run in the environment of the stack, not the deployed one', async () => {
    const response = await fetch(`${running.api}/echo`);

    expect(await response.json()).toMatchObject({ tableName: 'local-table' });
  });

  test('receive cookies as they were sent', async () => {
    const response = await fetch(`${running.api}/echo`, {
      headers: { cookie: 'a=1; quoted="x y"; token=abc==; a=2; empty=' },
    });

    const { cookies } = (await response.json()) as { cookies: string[] };
    expect(cookies.toSorted()).toEqual(
      ['a=1', 'a=2', 'empty=', 'quoted="x y"', 'token=abc=='].toSorted(),
    );
  });

  test('set cookies with all of their attributes', async () => {
    const response = await fetch(`${running.api}/echo`);

    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie.split('; ').filter((part) => !part.startsWith('Expires='))).toEqual(
      expect.arrayContaining([
        '__Host-auth_token=abc',
        'Max-Age=60',
        'Path=/',
        'HttpOnly',
        'Secure',
        'SameSite=None',
        'Partitioned',
      ]),
    );
  });

  test('decide themselves which origins are allowed', async () => {
    const [stranger, friend] = await Promise.all(
      ['https://stranger.example', 'https://friend.example'].map((origin) =>
        fetch(`${running.api}/echo`, { headers: { origin } }),
      ),
    );

    expect(stranger?.headers.get('access-control-allow-origin')).toBeNull();
    expect(stranger?.headers.get('access-control-allow-credentials')).toBeNull();
    expect(friend?.headers.get('access-control-allow-origin')).toBe('https://friend.example');
  });

  test('answer preflight requests themselves', async () => {
    const response = await fetch(`${running.api}/echo`, {
      method: 'OPTIONS',
      headers: { origin: 'https://stranger.example', 'access-control-request-method': 'POST' },
    });

    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-methods')).toBeNull();
  });

  test('receive unknown routes through the default route', async () => {
    const response = await fetch(`${running.api}/no/such/path`);

    expect(await response.json()).toMatchObject({ routeKey: '$default' });
  });

  test('can be invoked by name, and their output is forwarded', async () => {
    const invocation = await invokeFunction(running.lambda, 'social-leads-local-job', {});

    expect(invocation).toEqual({ failed: false, payload: { done: true } });
    await vi.waitFor(
      () => expect(lines).toContain('{"level":"INFO","message":"job ran, started by hand"}'),
      patiently,
    );
  });

  test('are reported as missing rather than failing when they do not exist', async () => {
    const invocation = await invokeFunction(running.lambda, 'social-leads-local-nothing', {});

    expect(invocation).toMatchObject({
      failed: true,
      payload: { Message: 'Function not found: social-leads-local-nothing' },
    });
  });

  test('run on their schedule', async () => {
    await vi.waitFor(
      () => expect(lines).toContain('{"level":"INFO","message":"job ran, started by aws.events"}'),
      patiently,
    );
  });
});

test('a service that cannot start prints the reason in one line', async () => {
  const started = start(folder('.'));

  await expect(started).rejects.toThrow(/^The functions failed to start: [^\n]+$/);
});
