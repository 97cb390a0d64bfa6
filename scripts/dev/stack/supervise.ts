/**
 * Runs the command given as arguments and stops it when standard input closes. The operating system
 * closes that pipe when the parent ends, so the command never outlives a crashed parent.
 */
import { spawn } from 'node:child_process';

const killAfterMs = 5_000;
const [command = '', ...commandArguments] = process.argv.slice(2);
const child = spawn(command, commandArguments, { stdio: ['ignore', 'inherit', 'inherit'] });

function stop(): void {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), killAfterMs).unref();
}

child.on('exit', (code) => process.exit(code ?? 1));
child.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
process.stdin.on('end', stop).on('error', stop).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, stop);
}
