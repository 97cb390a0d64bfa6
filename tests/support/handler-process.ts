import { json } from 'node:stream/consumers';
import type { Context } from 'aws-lambda';

// A function in a process of its own, so that it can be killed: `handler-process.ts auth/sign-up`,
// with the event on standard input and the answer on standard output.
const event = await json(process.stdin);
const { handler } = await import(`../../functions/${process.argv[2]}.ts`);
const context = { getRemainingTimeInMillis: () => 29_000 } as Context;
process.stdout.write(JSON.stringify(await handler(event, context)));
