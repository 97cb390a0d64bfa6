import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '../loopback-server.ts';
import { type Exchange, operationOf } from './exchange.ts';

export type ReplayedVendors = {
  /** The URL of the replay server for all vendors. */
  readonly url: string;
  /** Sets the exchanges to replay. */
  readonly play: (exchanges: readonly Exchange[]) => void;
  readonly close: () => Promise<void>;
};

/** Replays recorded vendor responses without delay, per operation in the recorded order. */
export async function replayVendors(): Promise<ReplayedVendors> {
  let waiting: readonly Exchange[] = [];

  function answerTo(operation: string, request: string): Exchange | undefined {
    const ofOperation = waiting.filter((exchange) => exchange.operation === operation);
    const next = ofOperation.find((exchange) => exchange.request === request) ?? ofOperation[0];
    // Keeps the last exchange in case of more calls.
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
    response.writeHead(501).end(`No recorded call of ${operation}`);

    return;
  }
  const body = operation === 'AmazonSQS.SendMessage' ? receiptOf(request) : exchange.response;
  response.writeHead(exchange.status, { 'content-type': exchange.contentType }).end(body);
}

/** The SDK verifies the response against the message it sent. */
function receiptOf(request: string): string {
  const { MessageBody } = JSON.parse(request) as { readonly MessageBody: string };

  return JSON.stringify({
    MessageId: 'replayed',
    MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
  });
}
