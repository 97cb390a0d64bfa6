import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { type Contract, kebabCase } from '#schemas/contract.ts';
import { type Call, gatewayEvent } from './api.ts';

export type DoomedCall = {
  /** Kills the process, and waits until it is dead. */
  readonly kill: () => Promise<void>;
  /** What the process answered; undefined: it was killed before. */
  readonly answer: Promise<{ readonly statusCode: number } | undefined>;
};

/** Calls an endpoint in a process of its own, with its table behind `dynamodbEndpoint`. */
export function callInProcess(
  contract: Contract,
  call: Call,
  dynamodbEndpoint: string,
): DoomedCall {
  const child = spawn(
    process.execPath,
    [
      new URL('handler-process.ts', import.meta.url).pathname,
      `${contract.area}/${kebabCase(contract.operationId)}`,
    ],
    {
      env: { ...process.env, DYNAMODB_ENDPOINT: dynamodbEndpoint, LOG_LEVEL: 'CRITICAL' },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  child.stdin.end(JSON.stringify(gatewayEvent(contract, call)));
  const exited = once(child, 'exit');

  return {
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    answer: answerOf(child, exited),
  };
}

async function answerOf(child: ChildProcess, exited: Promise<unknown>) {
  const output = child.stdout ? await text(child.stdout) : '';
  await exited;

  return output === '' ? undefined : (JSON.parse(output) as { readonly statusCode: number });
}
