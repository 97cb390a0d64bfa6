import { flushCompileCache } from 'node:module';
import { json } from 'node:stream/consumers';
import type { Context } from 'aws-lambda';

// Runs a function in a separate process that can be killed: `handler-process.ts bundle.mjs`, with
// the event on standard input and the response on standard output. REMAINING_MS sets the remaining
// time that the function sees, and CLOCK_AHEAD_MS how far its clock is ahead.
const aheadMs = Number(process.env.CLOCK_AHEAD_MS ?? 0);
const event = await json(process.stdin);
const { handler, setClock } = await import(String(process.argv[2]));
setClock(() => Date.now() + aheadMs);
// Even if the process is killed later, the next one does not have to compile everything again.
flushCompileCache();
const remainingMs = Number(process.env.REMAINING_MS ?? 29_000);
const context = { getRemainingTimeInMillis: () => remainingMs } as Context;
process.stdout.write(JSON.stringify(await handler(event, context)));
