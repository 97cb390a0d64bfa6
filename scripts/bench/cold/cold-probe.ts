import { readFileSync } from 'node:fs';
import { Agent, type RequestOptions } from 'node:https';
import { connect, type Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import type { Recording } from '../calls/recording.ts';
import { recordedClock } from '../recorded-clock.ts';

/** The program's input besides the function: the event, and its time. */
export type ColdCall = Pick<Recording, 'event' | 'atMs'>;

/** The time until a new process has finished its first request, without Node's own startup. */
export type ColdStart = {
  readonly importMs: number;
  readonly firstRequestMs: number;
  /** CPU time of all threads for both steps. Other load on the machine affects it less. */
  readonly processorMs: number;
};

const [file = '', callFile = ''] = process.argv.slice(2);
const { event, atMs } = JSON.parse(readFileSync(callFile, 'utf8')) as ColdCall;
const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 29_000 };

Date.now = recordedClock(atMs);

// Functions use HTTPS as in AWS. This redirects their connections to a local replay server without
// TLS.
Agent.prototype.createConnection = ({ port }: RequestOptions): Socket =>
  connect(Number(port), '127.0.0.1');

const processorBefore = process.cpuUsage();
const startedAtMs = performance.now();
const { handler } = await import(pathToFileURL(file).href);
const importedAtMs = performance.now();
await handler(event, context);
const answeredAtMs = performance.now();
const { user, system } = process.cpuUsage(processorBefore);

const coldStart: ColdStart = {
  importMs: importedAtMs - startedAtMs,
  firstRequestMs: answeredAtMs - importedAtMs,
  processorMs: (user + system) / 1000,
};
process.send?.(coldStart, () => process.exit());
