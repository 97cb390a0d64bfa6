import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { lambdaContext } from '../calls/gateway-event.ts';
import { median } from '../statistics.ts';

const warmUpRequests = 5_000;
const measuredRequests = 5_000;

const [file = '', eventFile = ''] = process.argv.slice(2);
const { handler } = await import(pathToFileURL(file).href);
const event: unknown = JSON.parse(readFileSync(eventFile, 'utf8'));

async function timeOneUs(): Promise<number> {
  const own = structuredClone(event);
  const startedAtMs = performance.now();
  const { statusCode, body } = await handler(own, lambdaContext());
  const us = (performance.now() - startedAtMs) * 1000;
  if (statusCode >= 300) {
    throw new Error(`${file} answered ${statusCode}: ${body}`);
  }

  return us;
}

for (let request = 0; request < warmUpRequests; request += 1) {
  await timeOneUs();
}
const times: number[] = [];
for (let request = 0; request < measuredRequests; request += 1) {
  times.push(await timeOneUs());
}
process.send?.(median(times), () => process.exit());
