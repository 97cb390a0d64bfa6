import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { costsHeader } from '#scripts/dev/table/start-table.ts';
import type { Answer, Request } from './wire.ts';

/** The database behind the proxy. */
export type Target = {
  readonly send: (request: Request) => Promise<Answer>;
  readonly close: () => void;
};

/** Headers about one connection or one body. They are set for each request. */
const ownHeaders = [
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'expect',
];
const passedHeaders = ['content-type', 'x-amzn-requestid', costsHeader];

export function connectTarget(endpoint: string): Target {
  const agent = new Agent({ keepAlive: true });

  return {
    send: (request) => post(endpoint, agent, request),
    close: () => agent.destroy(),
  };
}

async function post(endpoint: string, agent: Agent, request: Request): Promise<Answer> {
  const body = JSON.stringify(request.body);
  const outgoing = httpRequest(endpoint, {
    method: 'POST',
    agent,
    headers: {
      ...pickHeaders(request.headers, (name) => !ownHeaders.includes(name)),
      'content-length': Buffer.byteLength(body),
    },
  });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');

  return {
    status: response.statusCode,
    headers: pickHeaders(response.headers, (name) => passedHeaders.includes(name)),
    body: await text(response),
  };
}

function pickHeaders(
  headers: IncomingHttpHeaders,
  isPassed: (name: string) => boolean,
): Readonly<Record<string, string>> {
  const passed = Object.entries(headers).filter(([name]) => isPassed(name));

  return Object.fromEntries(passed.map(([name, value]) => [name, String(value)]));
}
