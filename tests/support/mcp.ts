import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { callMcp } from '#schemas/mcp.ts';
import { gatewayEvent, handlerOf, lambdaContext } from './api.ts';
import { startLater } from './own-table.ts';

type Connection = {
  /** A function can return another one for each request. */
  readonly token: string | (() => string);
  readonly headers?: Readonly<Record<string, string>>;
  /** Clients from before 2026-07-28 begin with `initialize`. */
  readonly generation?: 'legacy' | 'auto';
};

/** Returns a client of the official SDK that is connected to the real handler. */
export async function connectClient(connection: Connection): Promise<Client> {
  const { token, headers = {}, generation = 'auto' } = connection;

  return connectTo(new URL('https://api.example.com/mcp'), {
    token,
    headers,
    generation,
    fetch: fetchFromHandler,
  });
}

/** Returns a client of the official SDK that is connected to a running server. */
export async function connectTo(
  url: URL,
  {
    token,
    headers = {},
    generation = 'auto',
    fetch,
  }: Connection & { readonly fetch?: typeof globalThis.fetch },
): Promise<Client> {
  const client = new Client(
    { name: 'tests', version: '1.0.0' },
    { versionNegotiation: { mode: generation } },
  );
  const requestInit = {
    headers: {
      ...headers,
      get authorization() {
        return `Bearer ${typeof token === 'string' ? token : token()}`;
      },
    },
  };
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit, ...(fetch && { fetch }) }),
  );

  return client;
}

/** Calls the handler like the gateway, which has no route for other methods. */
const fetchFromHandler: typeof fetch = async (_, init = {}) => {
  if (init.method !== 'POST') {
    return new Response(null, { status: 405 });
  }
  const headers = Object.fromEntries(new Headers(init.headers));
  const handler = await handlerOf(callMcp);
  const event = gatewayEvent(callMcp, { headers, body: String(init.body) });
  const answer = await startLater(() => handler(event, lambdaContext()));

  return new Response(answer.statusCode === 202 ? null : (answer.body ?? null), {
    status: answer.statusCode,
    headers: answer.headers as Record<string, string>,
  });
};
