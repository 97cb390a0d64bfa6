import { type ChildProcess, fork } from 'node:child_process';

const defaultTimeoutMs = 60_000;

/** Runs a program in a separate process and returns the single message that it sends. */
export function forkProbe<Message>(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  timeoutMs = defaultTimeoutMs,
): Promise<Message> {
  // Functions still write logs, because logging is part of their work, but the output is discarded.
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
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr += chunk.toString('utf8');
    });
    child.once('message', (message) => resolve(message as Message));
    child.once('error', reject);
    child.once('close', (code) => {
      reject(new Error(`${file} exited with ${code} without a message: ${stderr.slice(-500)}`));
    });
  });
}
