import { readFileSync } from 'node:fs';
import { Agent, type RequestOptions } from 'node:https';
import { connect, type Socket } from 'node:net';
import { pathToFileURL } from 'node:url';

/** How long a fresh process takes for its first request, without the start of Node itself. */
export type ColdStart = {
  readonly importMs: number;
  readonly firstRequestMs: number;
  /** Of all threads, for both. It says the same, and hears less of what else the machine does. */
  readonly processorMs: number;
};

const [file = '', eventFile = ''] = process.argv.slice(2);
const event: unknown = JSON.parse(readFileSync(eventFile, 'utf8'));
const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 29_000 };

// Functions speak HTTPS, as they do in AWS; what they say goes to a replay on loopback in plain text.
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
