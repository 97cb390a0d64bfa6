import type { IncomingHttpHeaders } from 'node:http';
import type { Item } from '#scripts/dev/table/attribute-value.ts';
import { errorAnswer, type TableError } from '#scripts/dev/table/table-error.ts';

export type KeysAndAttributes = { readonly Keys: readonly Item[] };

export type WriteRequest = {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
};

/** Identifies an item: by its key, or by the whole item of a put. */
export type Named = { readonly Key?: Item; readonly Item?: Item };

/** The request fields that faults depend on. All others are forwarded unchanged. */
export type RequestBody = Named & {
  readonly Limit?: number;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeValues?: Item;
  readonly RequestItems?: {
    readonly [table: string]: KeysAndAttributes | readonly WriteRequest[];
  };
  readonly TransactItems?: readonly Readonly<Record<string, Named>>[];
};

export type Request = {
  /** For example `PutItem`. For another service's call, the whole `X-Amz-Target` header. */
  readonly operation: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: RequestBody;
};

export type Answer = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
};

const targetPrefix = 'DynamoDB_20120810.';
const jsonType = 'application/x-amz-json-1.0';

export function parseRequest(headers: IncomingHttpHeaders, text: string): Request {
  const target = String(headers['x-amz-target'] ?? '');
  const operation = target.startsWith(targetPrefix) ? target.slice(targetPrefix.length) : target;
  const body = text === '' ? {} : (JSON.parse(text) as RequestBody);

  return { operation, headers, body };
}

export function answerFor(error: TableError): Answer {
  const { status, content } = errorAnswer(error);

  return { status, headers: { 'content-type': jsonType }, body: JSON.stringify(content) };
}

/** Returns the name of the response's error without its namespace, or undefined for a success. */
export function errorName({ status, body }: Answer): string | undefined {
  if (status < 400) {
    return undefined;
  }
  const { __type: type } = JSON.parse(body) as { readonly __type?: string };

  return type?.split('#').at(-1) ?? 'UnknownError';
}
