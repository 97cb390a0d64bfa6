import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { devNull } from 'node:os';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import { sandboxClient } from '#packages/sandbox/src/client.ts';
import { platforms } from '#schemas/platforms.ts';
import { freePorts } from '#scripts/dev/stack/free-ports.ts';
import { projectPath } from '#scripts/project.ts';
import {
  alive,
  collect,
  descendants,
  isListening,
  killStacks,
  portVariables,
  stackScript,
  startStack,
  untilUp,
} from '#tests/support/own-stack.ts';
import { nonObjects } from '#tests/support/registry/fuzz.ts';
import { useStack } from '#tests/support/stack.ts';

afterEach(killStacks);

type Command = { readonly url: string; readonly contentType: string; readonly body: string };

/** Finds the first call with a JSON body in a text from which people copy. */
function commandIn(text: string): Command {
  const [, url = '', contentType = '', body = ''] =
    /curl -s (http\S+) -H 'content-type: ([^']+)' -d '([^']+)'/.exec(text) ?? [];

  return { url, contentType, body };
}

/** Sends the request like curl. */
function sendCurl({ url, contentType, body }: Command): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': contentType }, body });
}

describe('the running stack', () => {
  test('prints its addresses, responds there, and leaves nothing behind', async () => {
    const stack = await startStack();
    await untilUp(stack);
    const started = await descendants(stack.child.pid);
    const answers = await Promise.all(portVariables.map((name) => isListening(stack.ports[name])));
    const { status } = await sendCurl(commandIn(stack.stdout()));

    stack.child.kill('SIGINT');

    expect(await stack.ended).toBe(0);
    expect(answers).toEqual(portVariables.map(() => true));
    expect(status).toBe(201);
    for (const name of portVariables) {
      const scheme = name === 'WEBSOCKET_PORT' ? 'ws' : 'http';
      expect(stack.stdout()).toContain(`${scheme}://localhost:${stack.ports[name]}`);
      expect(await isListening(stack.ports[name])).toBe(false);
    }
    expect(started.length).toBeGreaterThan(1);
    await expect.poll(() => alive(started)).toEqual([]);
    expect(stack.stderr()).toBe('');
  });

  test('returns the response that the README shows for its first request', async () => {
    const readme = readFileSync(projectPath('README.md'), 'utf8');
    const [, section = ''] = readme.split('\n## A first request\n');
    const [, shown = ''] = /```json\n(.*)\n```/.exec(section) ?? [];
    const command = commandIn(section);

    const response = await sendCurl({
      ...command,
      url: command.url.replace('http://localhost:3000', useStack().api),
    });

    const answer = await response.json();
    const { user, organization, ...rest } = JSON.parse(shown);
    expect(response.status).toBe(201);
    expect(answer).toEqual({
      ...rest,
      authToken: expect.any(String),
      user: { ...user, id: expect.any(String), createdAt: expect.any(String) },
      organization: { ...organization, id: expect.any(String), createdAt: expect.any(String) },
    });
  });

  test('returns the standard format for every path', async () => {
    const response = await fetch(`${useStack().api}/no/such/path`);

    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ success: false, statusCode: 404 });
  });

  test.each(nonObjects)('returns 400 for the JSON body %s', async (body) => {
    const { api } = useStack();
    const post = async (path: string) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${api}${path}`, { method: 'POST', headers, body });

      return { status: response.status, body: await response.json() };
    };
    const webhooks = platforms.map((name) => `/webhooks/${name.toLowerCase()}`);
    const paths = ['/auth/login', '/billing/webhook', ...webhooks];
    const answers = await Promise.all(paths.map(post));

    expect(answers.map(({ status, body: { message } }) => [status, message])).toEqual(
      paths.map(() => [400, ['Request body must be a valid JSON object']]),
    );
  });

  test("registers the service's webhook URL with the networks", async () => {
    const { responses } = await sandboxClient(useStack().sandbox)
      .network('FACEBOOK')
      .sendEvent({
        userId: 'page-1',
        type: 'message',
        text: 'Is anybody there?',
        from: { id: 'customer-1', name: 'Ada' },
      });

    expect(responses).toEqual([{ status: expect.any(Number) }]);
  });

  test('accepts only correctly signed events from the payment provider', async () => {
    const { api, sandbox } = useStack();
    const { responses, payload, signature } = await sandboxClient(sandbox).sendPaymentEvent({
      type: 'payment_intent.succeeded',
      object: { id: 'pi_elsewhere', metadata: {} },
      deliveries: 2,
    });
    const post = (body: string) =>
      fetch(`${api}/billing/webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': signature },
        body,
      });

    const [asItWas, altered] = await Promise.all([post(payload), post(`${payload} `)]);

    expect(responses).toEqual([{ status: 200 }, { status: 200 }]);
    expect([asItWas.status, altered.status]).toEqual([200, 400]);
    expect(await asItWas.json()).toEqual({ received: true });
  });

  test('uses an external database, and leaves no processes behind when it crashes', async () => {
    const { dynamodb } = useStack();
    const stack = await startStack({
      DYNAMODB_ENDPOINT: dynamodb,
      // This port is in use, so a second database could not start.
      DYNAMODB_PORT: new URL(dynamodb).port,
      TABLE_NAME: 'social-leads-elsewhere',
    });
    await untilUp(stack);
    const started = await descendants(stack.child.pid);
    const { TableNames: tables } = await new DynamoDBClient({
      endpoint: dynamodb,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }).send(new ListTablesCommand({}));

    expect(tables).toContain('social-leads-elsewhere');

    stack.child.kill('SIGKILL');

    await stack.ended;
    expect(started.length).toBeGreaterThan(1);
    await expect.poll(() => alive(started)).toEqual([]);
  });
});

describe('a stack that cannot start', () => {
  test.each(portVariables)('reports the variable %s if its port is in use', async (variable) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;

    const stack = await startStack({ [variable]: String(port) });

    expect(await stack.ended).toBe(1);
    server.close();
    expect(stack.stderr()).toBe(
      `Social Leads: Port ${port} is in use. Free it, or set ${variable} to another port.\n`,
    );
  });

  test.each([
    ['a port is not a number', { PORT: 'x' }, /PORT must be a port/],
    [
      'a variable is missing',
      { STRIPE_API_BASE: 'http://127.0.0.1:9' },
      /STRIPE_SECRET_KEY is missing/,
    ],
    ['a variable has an invalid value', { LOG: 'loud' }, /LOG must be one of/],
    ['its environment file is missing', { ENV_FILE: '/nowhere' }, /ENV_FILE names \/nowhere/],
  ])('prints one line of instructions when %s', async (_case, environment, line) => {
    const stack = await startStack(environment);

    expect(await stack.ended).toBe(1);
    expect(stack.stdout()).toBe('');
    expect(stack.stderr()).toMatch(/^Social Leads: [^\n]+\n$/);
    expect(stack.stderr()).toMatch(line);
    expect(await isListening(stack.ports.PORT)).toBe(false);
  });
});

describe('npm run job', () => {
  async function job(names: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const child = spawn(process.execPath, [stackScript('job'), ...names], {
      env: { ...process.env, ENV_FILE: devNull, ...environment },
    });
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    const [code] = await once(child, 'close');

    return { code, stdout: stdout(), stderr: stderr() };
  }

  test('runs the job in the running stack and prints its result', async () => {
    const lambdaPort = new URL(useStack().lambda).port;

    const { code, stdout, stderr } = await job(['due-work'], { LAMBDA_PORT: lambdaPort });

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(() => JSON.parse(stdout)).not.toThrow();
  });

  test.each([[[]], [['nothing']]])('lists the known jobs for %j', async (names) => {
    const { code, stderr } = await job(names);

    expect(code).toBe(1);
    expect(stderr).toMatch(/\n {2}due-work +rate\(1 minute\) /);
  });

  test('prints instructions when no stack is running', async () => {
    const { LAMBDA_PORT: port } = await freePorts({
      LAMBDA_PORT: { port: 0, variable: 'LAMBDA_PORT' },
    });

    const { code, stderr } = await job(['due-work'], { LAMBDA_PORT: String(port) });

    expect(code).toBe(1);
    expect(stderr).toBe(
      `No response from http://localhost:${port}. Start the stack first: npm start. If it uses other ports, set the same LAMBDA_PORT here.\n`,
    );
  });
});
