import type { IncomingHttpHeaders } from 'node:http';

/** A value in DynamoDB's JSON protocol. Binary values are base64 text. */
export type AttributeValue = {
  readonly S?: string;
  readonly N?: string;
  readonly B?: string;
  readonly BOOL?: boolean;
  readonly NULL?: boolean;
  readonly SS?: readonly string[];
  readonly NS?: readonly string[];
  readonly BS?: readonly string[];
  readonly L?: readonly AttributeValue[];
  readonly M?: Item;
};

export type Item = { readonly [name: string]: AttributeValue };

export type KeysAndAttributes = {
  readonly Keys: readonly Item[];
  readonly ConsistentRead?: boolean;
};

export type WriteRequest = {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
};

type TransactAction = { readonly TableName: string; readonly Key: Item };

export type TransactItem = {
  readonly Get?: TransactAction;
  readonly Put?: { readonly TableName: string; readonly Item: Item };
  readonly Update?: TransactAction;
  readonly Delete?: TransactAction;
  readonly ConditionCheck?: TransactAction;
};

/** The request fields that the proxy reads. All others are forwarded unchanged. */
export type RequestBody = {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly Key?: Item;
  readonly Item?: Item;
  readonly ConsistentRead?: boolean;
  readonly Limit?: number;
  readonly Select?: string;
  readonly KeyConditionExpression?: string;
  readonly FilterExpression?: string;
  readonly ProjectionExpression?: string;
  readonly ExpressionAttributeNames?: { readonly [name: string]: string };
  readonly ExpressionAttributeValues?: Item;
  readonly RequestItems?: {
    readonly [table: string]: KeysAndAttributes | readonly WriteRequest[];
  };
  readonly TransactItems?: readonly TransactItem[];
  readonly ClientRequestToken?: string;
};

/** The answer fields that the proxy reads. */
export type AnswerBody = {
  readonly __type?: string;
  readonly Items?: readonly Item[];
  readonly Responses?: { readonly [table: string]: readonly Item[] };
  readonly UnprocessedKeys?: { readonly [table: string]: KeysAndAttributes };
  readonly UnprocessedItems?: { readonly [table: string]: readonly WriteRequest[] };
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

export function targetHeader(operation: string): string {
  return operation.includes('.') ? operation : `${targetPrefix}${operation}`;
}

export function jsonAnswer(status: number, body: unknown): Answer {
  return { status, headers: { 'content-type': jsonType }, body: JSON.stringify(body) };
}

export function parseAnswer(answer: Answer): AnswerBody {
  return JSON.parse(answer.body) as AnswerBody;
}

/** The name of an answer's error without its namespace, or undefined for a success. */
export function errorName(answer: Answer): string | undefined {
  if (answer.status < 400) {
    return undefined;
  }

  return parseAnswer(answer).__type?.split('#').at(-1) ?? 'UnknownError';
}
