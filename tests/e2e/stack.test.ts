import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { devNull } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sandboxClient } from '#scripts/sandbox/client.ts';
import { freePorts } from '#scripts/stack/free-ports.ts';
import { useStack } from '#tests/support/stack.ts';

const variables = ['PORT', 'LAMBDA_PORT', 'DYNAMODB_PORT', 'AWS_PORT', 'SANDBOX_PORT'] as const;

type Run = {
  readonly child: ChildProcess;
  readonly ports: Readonly<Record<(typeof variables)[number], number>>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The exit code. */
  readonly ended: Promise<unknown>;
};

const run = promisify(execFile);
const script = (name: string) =>
  fileURLToPath(new URL(`../../scripts/stack/${name}.ts`, import.meta.url));
const running: ChildProcess[] = [];

afterEach(() => {
  for (const child of running.splice(0)) {
    child.kill('SIGKILL');
  }
});

/** What `npm start` runs, on ports of its own. */
async function start(environment: Readonly<Record<string, string>> = {}): Promise<Run> {
  const free = (variable: string) => ({ port: 0, variable });
  const ports = await freePorts({
    PORT: free('PORT'),
    LAMBDA_PORT: free('LAMBDA_PORT'),
    DYNAMODB_PORT: free('DYNAMODB_PORT'),
    AWS_PORT: free('AWS_PORT'),
    SANDBOX_PORT: free('SANDBOX_PORT'),
  });
  const own = Object.fromEntries(variables.map((name) => [name, String(ports[name])]));
  const child = spawn(process.execPath, [script('start')], {
    // A developer's own `.env` plays no part.
    env: { ...process.env, ...own, ENV_FILE: devNull, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const ended = once(child, 'close').then(([code]) => code);

  return { child, ports, stdout: collect(child.stdout), stderr: collect(child.stderr), ended };
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });

  return () => stripVTControlCharacters(text);
}

async function untilUp({ stdout }: Run): Promise<void> {
  await vi.waitFor(() => expect(stdout()).toContain('A first request:'), {
    timeout: 20_000,
    interval: 100,
  });
}

type Process = { readonly pid: number; readonly parent: number; readonly command: string };

/** All processes that a process has started, and those that these have started. */
async function descendants(pid: number | undefined): Promise<readonly Process[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  const all = stdout.split('\n').flatMap((line) => {
    const [, id, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];

    return id && parent ? [{ pid: Number(id), parent: Number(parent), command }] : [];
  });
  const below = (parent: number | undefined): readonly Process[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);

  return below(pid);
}

async function alive(processes: readonly Process[]): Promise<readonly string[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=']);
  const pids = new Set(stdout.split('\n').map(Number));

  return processes.filter((one) => pids.has(one.pid)).map((one) => one.command);
}

async function isListening(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}`);

    return true;
  } catch {
    return false;
  }
}

describe('the stack', () => {
  test('tells its addresses, answers at them, and leaves nothing behind', async () => {
    const stack = await start();
    await untilUp(stack);
    const started = await descendants(stack.child.pid);
    const answers = await Promise.all(variables.map((name) => isListening(stack.ports[name])));

    stack.child.kill('SIGINT');

    expect(await stack.ended).toBe(0);
    expect(answers).toEqual(variables.map(() => true));
    for (const name of variables) {
      expect(stack.stdout()).toContain(`http://localhost:${stack.ports[name]}`);
      expect(await isListening(stack.ports[name])).toBe(false);
    }
    expect(started.length).toBeGreaterThan(1);
    expect(await alive(started)).toEqual([]);
    expect(stack.stderr()).toBe('');
  });

  test('answers every path in the service’s own way', async () => {
    const response = await fetch(`${useStack().api}/no/such/path`);

    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ success: false, statusCode: 404 });
  });

  test('has told the networks where the service answers', async () => {
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

  test('takes the payment provider’s events as they are signed, and none that are not', async () => {
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

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends all of itself at %s, even while it is starting',
    async (signal) => {
      const stack = await start();
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
    ['DynamoDBLocal.jar', 'DynamoDB Local ended.'],
    ['serverless.js', /^The functions ended/],
  ])('ends all of itself and says so when %s dies', async (command, reason) => {
    const stack = await start();
    await untilUp(stack);
    const started = await descendants(stack.child.pid);
    const victim = started.findLast((one) => one.command.includes(command));

    process.kill(victim?.pid ?? 0, 'SIGKILL');

    expect(await stack.ended).toBe(1);
    const said = stack.stderr().replace('Social Leads: ', '').trim();
    expect(said).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason));
    expect(await alive(started)).toEqual([]);
  });

  test('uses another database where an address names one, and starts none', async () => {
    const { dynamodb } = useStack();
    const stack = await start({
      DYNAMODB_ENDPOINT: dynamodb,
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

    expect(started.map((one) => one.command).join('\n')).not.toContain('DynamoDBLocal.jar');
    expect(tables).toContain('social-leads-elsewhere');
  });

  test('cannot outlive a crash of its own', async () => {
    const stack = await start();
    await untilUp(stack);
    const started = await descendants(stack.child.pid);

    stack.child.kill('SIGKILL');

    await stack.ended;
    await vi.waitFor(async () => expect(await alive(started)).toEqual([]), { timeout: 10_000 });
  });
});

describe('a stack that cannot start', () => {
  test.each(variables)('names %s when that port is taken', async (variable) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;

    const stack = await start({ [variable]: String(port) });

    expect(await stack.ended).toBe(1);
    server.close();
    expect(stack.stderr()).toBe(
      `Social Leads: Port ${port} is taken: end what listens there, or set ${variable} to a free port.\n`,
    );
  });

  test.each([
    ['Java is missing', { JAVA_HOME: '/nowhere' }, /Java was not found .*install/],
    ['a port is no number', { PORT: 'x' }, /PORT must be a port/],
    [
      'a variable is missing',
      { STRIPE_API_BASE: 'http://127.0.0.1:9' },
      /STRIPE_SECRET_KEY is missing/,
    ],
    ['a variable has no meaning', { LOG: 'loud' }, /LOG must be one of/],
    ['its file of variables is missing', { ENV_FILE: '/nowhere' }, /ENV_FILE names \/nowhere/],
  ])('says what to do in one line when %s', async (_case, environment, line) => {
    const stack = await start(environment);

    expect(await stack.ended).toBe(1);
    expect(stack.stdout()).toBe('');
    expect(stack.stderr()).toMatch(/^Social Leads: [^\n]+\n$/);
    expect(stack.stderr()).toMatch(line);
    expect(await isListening(stack.ports.PORT)).toBe(false);
  });
});

describe('npm run job', () => {
  async function job(names: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const child = spawn(process.execPath, [script('job'), ...names], {
      env: { ...process.env, ENV_FILE: devNull, ...environment },
    });
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    const [code] = await once(child, 'close');

    return { code, stdout: stdout(), stderr: stderr() };
  }

  test('runs the job in the running stack and prints its answer', async () => {
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

  test('says what to do when no stack is running', async () => {
    const { LAMBDA_PORT: port } = await freePorts({
      LAMBDA_PORT: { port: 0, variable: 'LAMBDA_PORT' },
    });

    const { code, stderr } = await job(['due-work'], { LAMBDA_PORT: String(port) });

    expect(code).toBe(1);
    expect(stderr).toBe(
      `Nothing answers at http://localhost:${port}: start the stack with \`npm start\` first.\n`,
    );
  });
});
