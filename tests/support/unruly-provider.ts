import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

export type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => void;

const json = { 'content-type': 'application/json' };

/** Ways in which a provider can fail every call. */
export const misbehaviours: Readonly<Record<string, Misbehaviour>> = {
  'refuses connections': (request) => request.socket.destroy(),
  hangs: () => undefined,
  fails: (_, response) => response.writeHead(500, json).end('{"error":{"message":"sorry"}}'),
  'returns no JSON': (_, response) => response.writeHead(200, json).end('<html>It works!</html>'),
  'returns unexpected JSON': (_, response) => response.writeHead(200, json).end('[null]'),
  'closes the connection mid-response': (_, response) => {
    response.writeHead(200, { ...json, 'content-length': '500' }).write('{"object":"list",');
    setTimeout(() => response.destroy(), 10);
  },
  'never ends its response': (_, response) => {
    response.writeHead(200, json).write('{"object":"list","data":[');
    drip(response, ' ', 20);
  },
  'never ends its headers': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    drip(socket, 'x-more: 1\r\n', 20);
  },
  'returns too much data': (_, response) => {
    response.writeHead(200, json).write('{"object":"list","data":["');
    drip(response, 'x'.repeat(1_048_576), 1);
  },
};

function drip(out: Writable, text: string, everyMs: number): void {
  const timer = setInterval(() => out.write(text), everyMs);
  out.once('close', () => clearInterval(timer));
  out.once('error', () => clearInterval(timer));
}

export type UnrulyProvider = {
  readonly url: string;
  /** Pass undefined to forward all requests again. */
  readonly behave: (how: Misbehaviour | undefined) => void;
  readonly close: () => void;
};

/**
 * Starts a proxy for the sandbox's payment provider, which fails in ways that the sandbox cannot.
 */
export async function startUnrulyProvider(target: string): Promise<UnrulyProvider> {
  let misbehaviour: Misbehaviour | undefined;
  const server = createServer((request, response) => {
    if (misbehaviour) {
      misbehaviour(request, response);
    } else {
      void passOn(target, request, response);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    behave: (how) => {
      misbehaviour = how;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function passOn(
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const { host, connection, 'content-length': length, ...headers } = request.headers;
  const body = await buffer(request);
  const answer = await fetch(`${target}${url}`, {
    method,
    headers: headers as Record<string, string>,
    ...(body.length > 0 ? { body } : {}),
  });
  response.writeHead(answer.status, json).end(await answer.text());
}
