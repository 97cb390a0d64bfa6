import { readFileSync } from 'node:fs';
import { setClock } from '#lib/platform/clock.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import { loadHandler } from '../calls/driver.ts';
import { lambdaContext } from '../calls/gateway-event.ts';
import type { Recording, TableAnswer } from '../calls/recording.ts';
import { replaceSend } from '../calls/tap-table.ts';
import { recordedClock } from '../recorded-clock.ts';

/** The program's input: a function, one call of it, and the table's outputs. */
export type WarmCall = Pick<Recording, 'event' | 'atMs' | 'tableAnswers'> & {
  readonly folder: string;
  readonly name: string;
};

/** The duration of each request in microseconds. */
export type WarmTimes = readonly number[];

const warmUpRequests = 1_000;
const measuredRequests = 1_000;

const call = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as WarmCall;
const handler = await loadHandler(call.folder, call.name);
setClock(recordedClock(call.atMs));
let waiting: TableAnswer[] = [];

replaceSend(documentClient, async (command) => {
  const index = waiting.findIndex((answer) => answer.command === command.constructor.name);
  const [answer] = waiting.splice(index, 1);
  if (!answer) {
    throw new Error(`No recorded output for ${command.constructor.name}`);
  }

  return answer.output;
});

async function timeOneUs(): Promise<number> {
  const event = structuredClone(call.event);
  waiting = [...call.tableAnswers];
  const startedAtMs = performance.now();
  await handler(event, lambdaContext());

  return (performance.now() - startedAtMs) * 1000;
}

for (let request = 0; request < warmUpRequests; request += 1) {
  await timeOneUs();
}
const times: number[] = [];
for (let request = 0; request < measuredRequests; request += 1) {
  times.push(await timeOneUs());
}
process.send?.(times, () => process.exit());
