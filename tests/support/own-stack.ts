import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { devNull } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { expect, vi } from 'vitest';
import { freePorts } from '#scripts/dev/stack/free-ports.ts';
import { patiently } from './patience.ts';

/** The variables that set the ports of a stack. */
export const portVariables = [
  'PORT',
  'LAMBDA_PORT',
  'DYNAMODB_PORT',
  'AWS_PORT',
  'SANDBOX_PORT',
  'WEBSOCKET_PORT',
] as const;

/** A stack that runs in separate processes. */
export type OwnStack = {
  readonly child: ChildProcess;
  readonly ports: Readonly<Record<(typeof portVariables)[number], number>>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves to the exit code. */
  readonly ended: Promise<unknown>;
};

const run = promisify(execFile);

/** Returns the path of a script that starts or uses a stack. */
export function stackScript(name: string): string {
  return fileURLToPath(new URL(`../../scripts/dev/stack/${name}.ts`, import.meta.url));
}

const running: ChildProcess[] = [];

/** Kills stacks that a test has started and not stopped. */
export function killStacks(): void {
  for (const child of running.splice(0)) {
    child.kill('SIGKILL');
  }
}

/** Runs the same program as `npm start`, on different ports. */
export async function startStack(
  environment: Readonly<Record<string, string>> = {},
): Promise<OwnStack> {
  const free = (variable: string) => ({ port: 0, variable });
  const ports = await freePorts({
    PORT: free('PORT'),
    LAMBDA_PORT: free('LAMBDA_PORT'),
    DYNAMODB_PORT: free('DYNAMODB_PORT'),
    AWS_PORT: free('AWS_PORT'),
    SANDBOX_PORT: free('SANDBOX_PORT'),
    WEBSOCKET_PORT: free('WEBSOCKET_PORT'),
  });
  const own = Object.fromEntries(portVariables.map((name) => [name, String(ports[name])]));
  const child = spawn(process.execPath, [stackScript('start')], {
    // Ignores a developer's own `.env`.
    env: { ...process.env, ...own, ENV_FILE: devNull, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const ended = once(child, 'close').then(([code]) => code);

  return { child, ports, stdout: collect(child.stdout), stderr: collect(child.stderr), ended };
}

/** Collects a stream's output so far, without colors. */
export function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });

  return () => stripVTControlCharacters(text);
}

export async function untilUp({ stdout, stderr, ended }: OwnStack): Promise<void> {
  const failed = ended.then((code) => {
    throw new Error(`The stack exited with code ${code}: ${stderr()}`);
  });
  const up = vi.waitFor(() => expect(stdout()).toContain('A first request:'), patiently);
  await Promise.race([up, failed]);
}

/** A process on this machine. */
export type Process = { readonly pid: number; readonly parent: number; readonly command: string };

async function allProcesses(): Promise<readonly Process[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,args=']);

  return stdout.split('\n').flatMap((line) => {
    const [, id, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];

    return id && parent ? [{ pid: Number(id), parent: Number(parent), command }] : [];
  });
}

/** Returns all direct and indirect child processes. */
export async function descendants(pid: number | undefined): Promise<readonly Process[]> {
  const all = await allProcesses();
  const below = (parent: number | undefined): readonly Process[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);

  return below(pid);
}

/**
 * Returns the commands of those processes that are still running. Compares the commands, too: a
 * terminated process can be listed as defunct, and its id can belong to a new process.
 */
export async function alive(processes: readonly Process[]): Promise<readonly string[]> {
  const commands = new Map((await allProcesses()).map(({ pid, command }) => [pid, command]));

  return processes
    .filter(({ pid, command }) => commands.get(pid) === command)
    .map(({ command }) => command);
}

/** Returns true if anything responds at the port. */
export async function isListening(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}`);

    return true;
  } catch {
    return false;
  }
}
