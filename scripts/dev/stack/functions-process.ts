import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export type FunctionsOptions = {
  readonly apiPort: number;
  readonly lambdaPort: number;
  readonly websocketPort: number;
  /** The port that a debugger attaches to. Without it, the functions can't be debugged. */
  readonly inspectPort?: number | undefined;
  /** The functions' complete environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stage: string;
  readonly region: string;
  /** The folder that contains serverless.yml. */
  readonly serviceFolder: string;
  /** True if serverless-offline prints all of its output. */
  readonly verbose: boolean;
  /** Called with each line that the functions print. */
  readonly onLine: (line: string) => void;
};

export type Functions = {
  readonly process: ChildProcess;
  readonly close: () => Promise<void>;
};

/** Only ends a start that hangs: on a busy machine, it takes minutes. */
const startTimeoutMs = 240_000;
const pollIntervalMs = 50;
const keptLines = 40;
const host = '127.0.0.1';

/** Starts every function in serverless.yml under serverless-offline, in a separate process. */
export async function startFunctions(options: FunctionsOptions): Promise<Functions> {
  const child = spawnOffline(options);
  const lines: string[] = [];
  let isReady = false;
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) {
      createInterface({ input: stream }).on('line', (line) => {
        // Until it is ready, the output explains why it fails to start.
        if (isReady || options.verbose) {
          options.onLine(line);
        }
        lines.splice(0, lines.length - keptLines + 1);
        lines.push(line);
      });
    }
  }
  const close = () => stop(child);
  try {
    await waitUntilListening(child, [options.lambdaPort, options.apiPort, options.websocketPort]);
  } catch (cause) {
    await close();
    throw new Error(`The functions failed to start: ${reasonIn(lines) ?? String(cause)}`, {
      cause,
    });
  }
  isReady = true;

  return { process: child, close };
}

function spawnOffline(options: FunctionsOptions): ChildProcess {
  const supervisor = fileURLToPath(new URL('./supervise.ts', import.meta.url));
  const serverless = createRequire(import.meta.url).resolve('serverless/bin/serverless.js');
  const settings = {
    stage: options.stage,
    region: options.region,
    host,
    httpPort: options.apiPort,
    lambdaPort: options.lambdaPort,
    websocketPort: options.websocketPort,
  };
  const values = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const switches = [
    '--useInProcess',
    '--localEnvironment',
    '--noPrependStageInUrl',
    '--noSponsor',
    // The plugin passes cookies on unchanged.
    '--disableCookieValidation',
    // A function that waits at a breakpoint does not time out.
    ...(options.inspectPort ? ['--noTimeout'] : []),
  ];
  const inspector = options.inspectPort ? [`--inspect=${host}:${options.inspectPort}`] : [];

  return spawn(
    process.execPath,
    [
      supervisor,
      process.execPath,
      ...inspector,
      serverless,
      'offline',
      'start',
      ...values,
      ...switches,
    ],
    {
      cwd: options.serviceFolder,
      env: { ...options.environment, SLS_LOG_LEVEL: options.verbose ? 'notice' : 'error' },
      // A separate process group, so that Ctrl-C reaches only the parent, which stops its parts in
      // order.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
}

async function waitUntilListening(child: ChildProcess, ports: readonly number[]): Promise<void> {
  const deadline = AbortSignal.timeout(startTimeoutMs);
  for (const port of ports) {
    while (!(await isListening(port))) {
      deadline.throwIfAborted();
      if (hasEnded(child)) {
        throw new Error(`serverless-offline exited with code ${child.exitCode}.`);
      }
      await delay(pollIntervalMs);
    }
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ port, host });
  try {
    await once(socket, 'connect');

    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Finds the line with the reason in a report with a headline, a stack trace and advice. */
function reasonIn(lines: readonly string[]): string | undefined {
  const headline = lines.findIndex((line) =>
    /^(?:✖ )?(?:\w*Error|Uncaught exception)\b/.test(line),
  );
  const candidates = headline < 0 ? lines : lines.slice(headline);

  return candidates
    .map((line) => line.replace(/^(?:✖ )?(?:Error:)?/, '').trim())
    .find((line) => line !== '');
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) {
    return;
  }
  const ended = once(child, 'exit');
  child.stdin?.end();
  await ended;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
