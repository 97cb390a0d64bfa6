import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { projectPath } from '#scripts/project.ts';
import { functionEnvironment } from '../function-environment.ts';

const run = promisify(execFile);

/** Everything that makes one run of Node differ from the next is off, and so is the compiler. */
const steadyNode = [
  '--jitless',
  '--single-threaded',
  '--hash-seed=1',
  '--random-seed=1',
  '--no-opt',
  '--predictable-gc-schedule',
];

/** Counts the instructions that importing a file takes, over those that Node itself needs. */
export type InstructionCounter = (file: string) => Promise<number>;

/** Undefined where valgrind is not installed. */
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
    throw new Error(`callgrind says nothing of ${file}: ${stderr.slice(-500)}`);
  }

  return Number(collected);
}
