import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { expect } from 'vitest';
import * as z from 'zod';
import type { HttpAnswer } from '#lib/platform/http/request.ts';
import { type Contract, kebabCase } from '#schemas/contract.ts';
import { errorKinds } from '#schemas/errors.ts';
import { type Refusal, refusalsOf } from '#scripts/build/generate/openapi/refusals.ts';
import { expectLogged, placeInLog } from './log-book.ts';

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpAnswer>;

export type Call = {
  /** Values for the placeholders in the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; a string as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly cookies?: readonly string[];
  readonly ip?: string;
};

export type Answer = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects; the schema has been checked.
  readonly body: any;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
};

const handlers = new Map<string, Promise<Handler>>();

/** The deployed handler of a contract. */
export function handlerOf({ area, operationId }: Contract): Promise<Handler> {
  const path = `../../functions/${area}/${kebabCase(operationId)}.ts`;
  const known = handlers.get(path) ?? import(path).then((module) => module.handler as Handler);
  handlers.set(path, known);

  return known;
}

let addresses = 0;

/** An address that no other call of this run uses, so that limits per IP do not meet. */
export function freshIp(): string {
  addresses += 1;

  return `2001:db8:${process.pid.toString(16).slice(-4)}::${(addresses >> 16).toString(16)}:${(addresses & 0xffff).toString(16)}`;
}

/** The event that the gateway makes of a call (payload format 2.0). */
export function gatewayEvent(contract: Contract, call: Call = {}): APIGatewayProxyEventV2 {
  const { params = {}, query, body, headers = {}, token, cookies, ip = freshIp() } = call;
  const rawPath = contract.path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const queryString = new URLSearchParams(query).toString();

  return {
    version: '2.0',
    routeKey: `${contract.method} ${contract.path}`,
    rawPath,
    rawQueryString: queryString,
    headers: {
      host: 'api.example.com',
      'user-agent': 'vitest',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    ...(cookies ? { cookies: [...cookies] } : {}),
    ...(query ? { queryStringParameters: { ...query } } : {}),
    ...(Object.keys(params).length > 0 ? { pathParameters: { ...params } } : {}),
    requestContext: {
      accountId: '000000000000',
      apiId: 'test',
      domainName: 'api.example.com',
      domainPrefix: 'api',
      http: {
        method: contract.method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: ip,
        userAgent: 'vitest',
      },
      requestId: 'test',
      routeKey: `${contract.method} ${contract.path}`,
      stage: '$default',
      time: '',
      timeEpoch: 0,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    isBase64Encoded: false,
  };
}

export function lambdaContext(remainingMs = 29_000): Context {
  return {
    awsRequestId: 'test',
    getRemainingTimeInMillis: () => remainingMs,
  } as Context;
}

const errorEnvelope = z.looseObject({
  success: z.literal(false),
  statusCode: z.number(),
  message: z.union([z.string(), z.array(z.string()).min(1)]),
  error: z.string(),
});

const healthUnavailable = z.strictObject({
  status: z.literal('unhealthy'),
  timestamp: z.iso.datetime(),
  message: z.string(),
  services: z.record(
    z.string(),
    z.strictObject({ status: z.string(), error: z.string().nullable() }),
  ),
});
const healthError = z.strictObject({
  status: z.literal('error'),
  timestamp: z.iso.datetime(),
  message: z.string(),
  error: z.string(),
});

type ErrorEnvelope = z.infer<typeof errorEnvelope>;

const promisedRefusals = new Map<Contract, readonly Refusal[]>();

/** What the document says of how calls are refused; made once, as its examples are computed. */
function promisedBy(contract: Contract): readonly Refusal[] {
  const known = promisedRefusals.get(contract) ?? refusalsOf(contract);
  promisedRefusals.set(contract, known);

  return known;
}

/**
 * Whether the contract, and so the document, says that a call may be refused like this: with a kind
 * of error that it names, or in the very words of a refusal that is its own, or follows from access,
 * input or limits.
 */
function isPromised(contract: Contract, { statusCode, error, message }: ErrorEnvelope): boolean {
  return promisedBy(contract).some((refusal) => {
    const isNamed = contract.errors?.includes(refusal.kind) ?? false;
    const isInput = Array.isArray(message) && Array.isArray(refusal.message);

    return (
      errorKinds[refusal.kind].statusCode === statusCode &&
      errorKinds[refusal.kind].error === error &&
      (isNamed || isInput || refusal.message === message)
    );
  });
}

function unpromised({ operationId }: Contract, { statusCode, message }: ErrorEnvelope): string {
  return `${operationId} may not answer ${statusCode}: ${message}`;
}

/** An answer says what its contract says of it: nothing is missing, and nothing else is in it. */
function checkAnswer(contract: Contract, status: number, body: unknown): void {
  if (status >= 400) {
    if (contract.failures === 'health' && (status === 500 || status === 503)) {
      (status === 500 ? healthError : healthUnavailable).parse(body);

      return;
    }
    const envelope = errorEnvelope.parse(body);
    expect(envelope.statusCode).toBe(status);
    expect(isPromised(contract, envelope), unpromised(contract, envelope)).toBe(true);

    return;
  }
  expect(status).toBe(contract.status ?? 200);
  expect(answerSchemaOf(contract).parse(body)).toEqual(body);
}

const answerSchemas = new Map<Contract, z.ZodType>();

function answerSchemaOf(contract: Contract): z.ZodType {
  const { envelope, response } = contract;
  const known =
    answerSchemas.get(contract) ??
    (envelope === 'bare' ? response : response.extend({ success: z.literal(true) }));
  answerSchemas.set(contract, known);

  return known;
}

/** Whether the operation has answered for itself, with a page of its own for what is not there too. */
export function isRaw(
  { envelope }: Contract,
  status: number,
  headers: Readonly<Record<string, string | number | boolean>>,
): boolean {
  const isJson = String(headers['content-type']).startsWith('application/json');

  return envelope === 'raw' && (status < 400 || !isJson);
}

/** The body of an answer, which says what the contract says of it. */
export function checkedBody(
  contract: Contract,
  { statusCode, headers, body }: HttpAnswer,
): Answer['body'] {
  if (isRaw(contract, statusCode, headers ?? {})) {
    return body;
  }
  const parsed = JSON.parse(body ?? 'null');
  checkAnswer(contract, statusCode, parsed);

  return parsed;
}

/** Calls an endpoint through its real handler, and checks answer and log against the contract. */
export function call(contract: Contract, options: Call = {}): Promise<Answer> {
  return send(contract, gatewayEvent(contract, options));
}

/** As `call`, with an event that was made or changed by hand. */
export async function send(contract: Contract, event: APIGatewayProxyEventV2): Promise<Answer> {
  const handler = await handlerOf(contract);
  const place = placeInLog();
  const answer = await handler(event, lambdaContext());
  const body = checkedBody(contract, answer);
  expectLogged({ contract, request: event, answer }, place);

  return {
    status: answer.statusCode,
    body,
    headers: (answer.headers ?? {}) as Record<string, string>,
    cookies: answer.cookies ?? [],
  };
}
