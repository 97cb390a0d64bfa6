import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { projectPath } from '#scripts/project.ts';
import { functionEnvironment } from '../function-environment.ts';

const run = promisify(execFile);

/** Disables the JIT compiler and everything else that makes runs of Node differ. */
const steadyNode = [
  '--jitless',
  '--single-threaded',
  '--hash-seed=1',
  '--random-seed=1',
  '--no-opt',
  '--predictable-gc-schedule',
];

/** Counts the instructions for importing a file, minus the instructions of Node's own startup. */
export type InstructionCounter = (file: string) => Promise<number>;

/** Returns undefined if valgrind is not installed. */
export async function createInstructionCounter(): Promise<InstructionCounter | undefined> {
  try {
    await run('valgrind', ['--version']);
  } catch {
    return undefined;
  }
  const empty = projectPath('.build/bench/empty.mjs');
  await mkdir(projectPath('.build/bench'), { recursive: true });
  await writeFile(empty, '');
  const ownInstructions = await collect(empty);

  return async (file) => (await collect(file)) - ownInstructions;
}

async function collect(file: string): Promise<number> {
  const { stderr } = await run(
    'valgrind',
    ['--tool=callgrind', '--callgrind-out-file=/dev/null', process.execPath, ...steadyNode, file],
    { env: functionEnvironment() },
  );
  const collected = /Collected : (\d+)/.exec(stderr)?.[1];
  if (!collected) {
    throw new Error(`callgrind reported no result for ${file}: ${stderr.slice(-500)}`);
  }

  return Number(collected);
}
