import { type ChildProcess, fork } from 'node:child_process';

const defaultTimeoutMs = 60_000;

/** Runs a program in a process of its own, and gives the one message that it sends. */
export function forkProbe<Message>(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  timeoutMs = defaultTimeoutMs,
): Promise<Message> {
  // What functions log is written, as it is a part of what they do, and seen by nobody.
  const child = fork(file, args, {
    env: environment,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    timeout: timeoutMs,
  });

  return messageOf<Message>(child, file);
}

function messageOf<Message>(child: ChildProcess, file: string): Promise<Message> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
    });
    child.once('message', (message) => resolve(message as Message));
    child.once('error', reject);
    child.once('close', (code) => {
      reject(new Error(`${file} ended with ${code} and told nothing: ${said.slice(-500)}`));
    });
  });
}
