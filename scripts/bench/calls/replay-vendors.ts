import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '../loopback-server.ts';
import { type Exchange, operationOf } from './exchange.ts';

export type ReplayedVendors = {
  /** All vendors answer here. */
  readonly url: string;
  /** What they answer from now on. */
  readonly play: (exchanges: readonly Exchange[]) => void;
  readonly close: () => Promise<void>;
};

/** Answers at once what vendors answered before, each operation in the order in which it was called. */
export async function replayVendors(): Promise<ReplayedVendors> {
  let waiting: readonly Exchange[] = [];

  function answerTo(operation: string, request: string): Exchange | undefined {
    const ofOperation = waiting.filter((exchange) => exchange.operation === operation);
    const next = ofOperation.find((exchange) => exchange.request === request) ?? ofOperation[0];
    // The last one stays, for whoever calls once more often.
    if (ofOperation.length > 1) {
      waiting = waiting.filter((exchange) => exchange !== next);
    }

    return next;
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response, answerTo).catch((failure: Error) => response.destroy(failure));
  });

  return {
    ...(await listenOnLoopback(server)),
    play: (exchanges) => {
      waiting = exchanges;
    },
  };
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  answerTo: (operation: string, request: string) => Exchange | undefined,
): Promise<void> {
  const request = await text(incoming);
  const operation = operationOf(incoming.method, incoming.url, incoming.headers);
  const exchange = answerTo(operation, request);
  if (!exchange) {
    response.writeHead(501).end(`Nobody called ${operation} before`);

    return;
  }
  const body = operation === 'AmazonSQS.SendMessage' ? receiptOf(request) : exchange.response;
  response.writeHead(exchange.status, { 'content-type': exchange.contentType }).end(body);
}

/** The SDK holds the answer against what it has sent. */
function receiptOf(request: string): string {
  const { MessageBody } = JSON.parse(request) as { readonly MessageBody: string };

  return JSON.stringify({
    MessageId: 'replayed',
    MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
  });
}
