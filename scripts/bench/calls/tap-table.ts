import type { documentClient } from '#lib/platform/db/client.ts';
import type { TableAnswer } from './recording.ts';

type Table = typeof documentClient;
type Send = (command: object) => Promise<unknown>;

export type TappedTable = {
  readonly result: unknown;
  readonly answers: readonly TableAnswer[];
};

/** Runs the work and returns its result and all DynamoDB outputs during it. */
export async function tapTable(table: Table, work: () => Promise<unknown>): Promise<TappedTable> {
  const answers: TableAnswer[] = [];
  const send = table.send.bind(table) as Send;
  replaceSend(table, async (command) => {
    // Keeps the order of the calls, because outputs may arrive in a different order.
    const place = answers.push({ command: command.constructor.name, output: undefined }) - 1;
    const output = await send(command);
    answers[place] = { command: command.constructor.name, output };

    return output;
  });
  try {
    return { result: await work(), answers };
  } finally {
    Reflect.deleteProperty(table, 'send');
  }
}

/** Replaces the client's `send`. */
export function replaceSend(table: object, send: Send): void {
  Object.defineProperty(table, 'send', { value: send, configurable: true });
}
