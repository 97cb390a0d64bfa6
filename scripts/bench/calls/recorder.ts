import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type LoopbackServer, listenOnLoopback } from '../loopback-server.ts';
import { type Exchange, operationOf } from './exchange.ts';

export type Recorder = {
  /** Returns the URL to call instead of the vendor's. */
  readonly addressFor: (vendor: string) => Promise<string>;
  /** Runs the work and returns its result and the exchanges during it. */
  readonly record: <Result>(
    work: () => Promise<Result>,
  ) => Promise<{ readonly result: Result; readonly exchanges: readonly Exchange[] }>;
  readonly close: () => Promise<void>;
};

/** A proxy in front of vendors that records every exchange. */
export function createRecorder(): Recorder {
  const servers: LoopbackServer[] = [];
  let exchanges: Exchange[] = [];

  async function addressFor(vendor: string): Promise<string> {
    const server = createServer((incoming, response) => {
      forward(vendor, incoming, response).then(
        (exchange) => exchanges.push(exchange),
        (failure: Error) => response.destroy(failure),
      );
    });
    const listening = await listenOnLoopback(server);
    servers.push(listening);

    return listening.url;
  }

  async function record<Result>(work: () => Promise<Result>) {
    exchanges = [];
    const result = await work();
    const recorded = exchanges;
    exchanges = [];

    return { result, exchanges: recorded };
  }

  return {
    addressFor,
    record,
    close: async () => {
      await Promise.all(servers.map(({ close }) => close()));
    },
  };
}

/** Records nothing. Vendors are called directly, which is faster. */
export const noRecorder: Recorder = {
  addressFor: async (vendor) => vendor,
  record: async (work) => ({ result: await work(), exchanges: [] }),
  close: async () => {},
};

async function forward(
  vendor: string,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<Exchange> {
  const { method = 'GET', url = '/', headers } = incoming;
  const request = await buffer(incoming);
  const answer = await fetch(`${vendor}${url}`, {
    method,
    redirect: 'manual',
    headers: forwarded(incoming.rawHeaders),
    ...(request.length > 0 ? { body: new Uint8Array(request) } : {}),
  });
  const body = await answer.text();
  const contentType = answer.headers.get('content-type') ?? 'application/json';
  const location = answer.headers.get('location');
  response
    .writeHead(answer.status, { 'content-type': contentType, ...(location ? { location } : {}) })
    .end(body);

  return {
    operation: operationOf(method, url, headers),
    request: request.toString(),
    status: answer.status,
    contentType,
    response: body,
  };
}

/** Headers about the connection itself. They are not forwarded. */
const ofConnection = new Set([
  'connection',
  'content-length',
  'host',
  'transfer-encoding',
  'expect',
]);

function forwarded(rawHeaders: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!ofConnection.has(name.toLowerCase())) {
      headers.append(name, rawHeaders[index + 1] ?? '');
    }
  }

  return headers;
}
