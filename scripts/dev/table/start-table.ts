import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Cost, ItemUnits } from './costs.ts';
import { createDatabase, type Database } from './database.ts';
import { openJournal } from './journal-file.ts';
import { errorAnswer, malformed, TableError } from './table-error.ts';

export type TableServerOptions = {
  /** 0 picks a free port. */
  readonly port: number;
  /** Keeps the data in this folder between runs. Without it, the data is only in memory. */
  readonly dataDir?: string | undefined;
};

export type TableServer = {
  readonly url: string;
  readonly close: () => Promise<void>;
};

/**
 * A request header that asks for the costs of the request's items. The response contains them in
 * the same header. DynamoDB itself reports only sums, and nothing for failed conditions.
 */
export const costsHeader = 'x-table-costs';

const targetPrefix = 'DynamoDB_20120810.';
const sweepMs = 10 * 60 * 1_000;

/** Starts the development table with its own data. */
export async function startTable({ port, dataDir }: TableServerOptions): Promise<TableServer> {
  const journal = dataDir ? openJournal(dataDir) : undefined;
  try {
    const database = createDatabase(journal ? { journal } : {});
    database.removeExpired();
    const server = await serveDatabase(database, port);
    const sweep = setInterval(database.removeExpired, sweepMs);

    return {
      url: server.url,
      close: async () => {
        clearInterval(sweep);
        await server.close();
        journal?.close();
      },
    };
  } catch (error) {
    journal?.close();
    throw error;
  }
}

/** Serves a database over DynamoDB's protocol, on this machine only. Accepts any credentials. */
export async function serveDatabase(database: Database, port: number): Promise<TableServer> {
  const server = createServer((incoming, response) => {
    answerCall(database, incoming, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const listening = typeof address === 'object' && address !== null ? address.port : port;

  return {
    url: `http://127.0.0.1:${listening}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answerCall(
  database: Database,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await text(incoming);
  const { headers } = incoming;
  const { status, content, costs } = perform(database, String(headers['x-amz-target']), body);
  response
    .writeHead(status, {
      'content-type': 'application/x-amz-json-1.0',
      'x-amzn-requestid': crypto.randomUUID(),
      ...(headers[costsHeader] ? { [costsHeader]: JSON.stringify(costs().map(toUnits)) } : {}),
    })
    .end(JSON.stringify(content));
}

function toUnits({ table: _table, ...units }: Cost): ItemUnits {
  return units;
}

function perform(database: Database, target: string, body: string) {
  try {
    const operation = target.startsWith(targetPrefix) ? target.slice(targetPrefix.length) : target;
    const { output, costs } = database.perform(operation, parse(body));

    return { status: 200, content: output, costs };
  } catch (cause) {
    const error = cause instanceof TableError ? cause : internalError(cause);

    return { ...errorAnswer(error), costs: error.costs };
  }
}

function internalError(cause: unknown): TableError {
  console.error(cause);

  return new TableError('InternalServerError', 'The request failed because of an unknown error.');
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw malformed('The request is not JSON');
  }
}
