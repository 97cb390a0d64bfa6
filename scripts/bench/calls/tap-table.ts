import type { documentClient } from '#lib/platform/db/client.ts';
import type { TableAnswer } from './recording.ts';

type Table = typeof documentClient;
type Send = (command: object) => Promise<unknown>;

export type TappedTable = {
  readonly result: unknown;
  readonly answers: readonly TableAnswer[];
};

/** What comes of the work, and what the table answers while it runs. */
export async function tapTable(table: Table, work: () => Promise<unknown>): Promise<TappedTable> {
  const answers: TableAnswer[] = [];
  const send = table.send.bind(table) as Send;
  replaceSend(table, async (command) => {
    // Its place is that of the call: answers may come in another order.
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

/** The client answers as told, and calls nobody. */
export function replaceSend(table: object, send: Send): void {
  Object.defineProperty(table, 'send', { value: send, configurable: true });
}
