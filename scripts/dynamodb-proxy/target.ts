import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { keyText, type TableDescription, type TableSchema, toTableSchema } from './table-schema.ts';
import { namedTables, type Schemas, type Touch } from './touched-items.ts';
import {
  type Answer,
  type AnswerBody,
  type Item,
  type KeysAndAttributes,
  parseAnswer,
  type Request,
  type RequestBody,
  targetHeader,
} from './wire.ts';

/** The database behind the proxy. */
export type Target = {
  readonly send: (request: Request) => Promise<Answer>;
  /** The schemas of the request's tables. Omits tables that do not exist. */
  readonly schemasFor: (request: Request) => Promise<Schemas>;
  /** The stored items for the touches, by `imageKey`. */
  readonly readImages: (request: Request, touches: readonly Touch[]) => Promise<Images>;
  readonly close: () => void;
};

export type Images = ReadonlyMap<string, Item>;

const batchSize = 100;
// Headers of one connection or one body, which are set for each request.
const ownHeaders = [
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'expect',
];
const passedHeaders = ['content-type', 'x-amzn-requestid'];
const tableChanges = ['CreateTable', 'UpdateTable', 'DeleteTable'];

export function imageKey(touch: Pick<Touch, 'table' | 'keyText'>): string {
  return `${touch.table}\n${touch.keyText}`;
}

export function connectTarget(endpoint: string): Target {
  const agent = new Agent({ keepAlive: true });
  const schemas = new Map<string, TableSchema>();

  async function send(request: Request): Promise<Answer> {
    if (tableChanges.includes(request.operation)) {
      schemas.clear();
    }

    return post(endpoint, agent, request);
  }

  async function learnSchema(request: Request, table: string): Promise<void> {
    const answer = await send(derive(request, 'DescribeTable', { TableName: table }));
    if (answer.status === 200) {
      const { Table } = JSON.parse(answer.body) as { readonly Table: TableDescription };
      schemas.set(table, toTableSchema(Table));
    }
  }

  async function schemasFor(request: Request): Promise<Schemas> {
    const unknown = namedTables(request).filter((table) => !schemas.has(table));
    await Promise.all(unknown.map((table) => learnSchema(request, table)));

    return schemas;
  }

  return {
    send,
    schemasFor,
    readImages: (request, touches) => readImages(send, request, touches),
    close: () => agent.destroy(),
  };
}

/** A request of the proxy itself, with the caller's credentials. */
export function derive(request: Request, operation: string, body: RequestBody): Request {
  return { operation, headers: request.headers, body };
}

async function readImages(
  send: Target['send'],
  request: Request,
  touches: readonly Touch[],
): Promise<Images> {
  const images = new Map<string, Item>();
  const byKey = new Map(touches.map((touch) => [imageKey(touch), touch]));
  let pending = [...byKey.values()];
  while (pending.length > 0) {
    const batch = pending.slice(0, batchSize);
    const answer = await send(derive(request, 'BatchGetItem', { RequestItems: toKeys(batch) }));
    const body = parseAnswer(answer);
    for (const { table, schema } of batch) {
      for (const item of body.Responses?.[table] ?? []) {
        images.set(imageKey({ table, keyText: keyText(schema, item) }), item);
      }
    }
    pending = pending.filter((touch) => !batch.includes(touch) || isUnread(touch, body));
  }

  return images;
}

/** True if the item did not fit into the answer's limit of 16 MB and needs another request. */
function isUnread(touch: Touch, body: AnswerBody): boolean {
  const unread = body.UnprocessedKeys?.[touch.table]?.Keys ?? [];

  return unread.some((key) => keyText(touch.schema, key) === touch.keyText);
}

function toKeys(touches: readonly Touch[]): { readonly [table: string]: KeysAndAttributes } {
  const tables = Object.groupBy(touches, (touch) => touch.table);

  return Object.fromEntries(
    Object.entries(tables).map(([table, group = []]) => [
      table,
      { Keys: group.map((touch) => touch.key), ConsistentRead: true },
    ]),
  );
}

async function post(endpoint: string, agent: Agent, request: Request): Promise<Answer> {
  const body = JSON.stringify(request.body);
  const outgoing = httpRequest(endpoint, {
    method: 'POST',
    agent,
    headers: {
      ...withoutOwnHeaders(request.headers),
      'x-amz-target': targetHeader(request.operation),
      'content-length': Buffer.byteLength(body),
    },
  });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  const headers = Object.entries(response.headers as IncomingHttpHeaders).filter(([name]) =>
    passedHeaders.includes(name),
  );

  return {
    status: response.statusCode,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    body: await text(response),
  };
}

function withoutOwnHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.includes(name)));
}
