import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { areaOf, type Contract, kebabCase } from '#schemas/contract.ts';
import { type CallInput, gatewayEvent } from './api.ts';
import { handlerBundle } from './handler-bundle.ts';
import { startLater } from './own-table.ts';

export type DoomedCall<Answer> = {
  readonly pid: number;
  /** Kills the process and waits until it has exited. */
  readonly kill: () => Promise<void>;
  /** The response, or undefined if the process was killed before. */
  readonly answer: Promise<Answer | undefined>;
};

/** Calls an endpoint in a separate process, which uses the table at `dynamodbEndpoint`. */
export function callInProcess(
  contract: Contract,
  call: CallInput,
  dynamodbEndpoint: string,
): Promise<DoomedCall<{ readonly statusCode: number }>> {
  const name = `${areaOf(contract)}/${kebabCase(contract.operationId)}`;

  return runInProcess(name, gatewayEvent(contract, call), dynamodbEndpoint);
}

/** Runs a function, such as `workers/mail-delivery`, in a separate process. */
export async function runInProcess<Answer>(
  name: string,
  event: object,
  dynamodbEndpoint: string,
): Promise<DoomedCall<Answer>> {
  const bundle = await startLater(() => handlerBundle(name));
  const child = spawn(
    process.execPath,
    [new URL('handler-process.ts', import.meta.url).pathname, bundle],
    {
      env: {
        ...process.env,
        // Lambda always sets a session token, and the bundles require it.
        AWS_SESSION_TOKEN: 'local',
        DYNAMODB_ENDPOINT: dynamodbEndpoint,
        LOG_LEVEL: 'CRITICAL',
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  child.stdin.end(JSON.stringify(event));
  const exited = once(child, 'exit');

  return {
    pid: Number(child.pid),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    answer: answerOf<Answer>(child, exited),
  };
}

async function answerOf<Answer>(
  child: ChildProcess,
  exited: Promise<unknown>,
): Promise<Answer | undefined> {
  const printed = child.stdout ? await text(child.stdout) : '';
  await exited;
  // Jobs print their heartbeat first.
  const output = printed.split('\n').at(-1) ?? '';

  return output === '' ? undefined : (JSON.parse(output) as Answer);
}
