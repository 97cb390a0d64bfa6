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
  /** Objects are sent as JSON, strings as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly cookies?: readonly string[];
  readonly ip?: string;
};

export type Answer = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field; the schema is checked.
  readonly body: any;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
};

const handlers = new Map<string, Promise<Handler>>();

/** Returns the deployed handler of a contract. */
export function handlerOf({ area, operationId }: Contract): Promise<Handler> {
  const path = `../../functions/${area}/${kebabCase(operationId)}.ts`;
  const known = handlers.get(path) ?? import(path).then((module) => module.handler as Handler);
  handlers.set(path, known);

  return known;
}

let addresses = 0;

/**
 * Returns an IP address in a network that no other call of this run uses, so that IP limits do not
 * interfere.
 */
export function freshIp(): string {
  addresses += 1;

  const network = (addresses & 0xffff).toString(16);

  return `2001:db8:${process.pid.toString(16).slice(-4)}:${network}::${(addresses >> 16).toString(16)}`;
}

/** Returns the API Gateway event for a call (payload format 2.0). */
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

const documentedErrorCache = new Map<Contract, readonly Refusal[]>();

/**
 * Returns the errors that the OpenAPI document lists. Cached, because its examples are computed.
 */
function documentedErrors(contract: Contract): readonly Refusal[] {
  const known = documentedErrorCache.get(contract) ?? refusalsOf(contract);
  documentedErrorCache.set(contract, known);

  return known;
}

/**
 * Returns true if the contract, and so the OpenAPI document, lists this error: by its kind, or by
 * its exact message if it is the contract's own or follows from access, input or limits.
 */
function isDocumented(
  contract: Contract,
  { statusCode, error, message, quota }: ErrorEnvelope,
): boolean {
  return documentedErrors(contract).some((refusal) => {
    const isNamed = contract.errors?.includes(refusal.kind) ?? false;
    const isInput = Array.isArray(message) && Array.isArray(refusal.message);

    return (
      errorKinds[refusal.kind].statusCode === statusCode &&
      errorKinds[refusal.kind].error === error &&
      (isNamed || isInput || refusal.message === message || isQuota(refusal, quota))
    );
  });
}

/** Tests lower quotas, and the message contains the limit. */
function isQuota({ fields }: Refusal, quota: unknown): boolean {
  const [known, named] = [fields?.quota, quota] as ReadonlyArray<{ name?: string } | undefined>;

  return known?.name !== undefined && known.name === named?.name;
}

function undocumented({ operationId }: Contract, { statusCode, message }: ErrorEnvelope): string {
  return `${operationId} may not answer ${statusCode}: ${message}`;
}

/** Checks that a response matches its contract exactly, without missing or extra fields. */
function checkAnswer(contract: Contract, status: number, body: unknown): void {
  if (status >= 400) {
    if (contract.failures === 'health' && (status === 500 || status === 503)) {
      (status === 500 ? healthError : healthUnavailable).parse(body);

      return;
    }
    const envelope = errorEnvelope.parse(body);
    expect(envelope.statusCode).toBe(status);
    expect(isDocumented(contract, envelope), undocumented(contract, envelope)).toBe(true);

    return;
  }
  if (status === 201 && contract.created) {
    expect(schemaOf(contract.created).parse(body)).toEqual(body);

    return;
  }
  expect(status).toBe(contract.status ?? 200);
  expect(answerSchemaOf(contract).parse(body)).toEqual(body);
}

const answerSchemas = new Map<Contract, z.ZodType>();

function answerSchemaOf(contract: Contract): z.ZodType {
  const known = answerSchemas.get(contract) ?? schemaOf(contract);
  answerSchemas.set(contract, known);

  return known;
}

function schemaOf({
  envelope,
  response = z.object({}),
  message,
}: Pick<Contract, 'envelope' | 'response' | 'message'>): z.ZodType {
  return response.extend({
    ...(envelope !== 'bare' && { success: z.literal(true) }),
    ...(message && { message: z.literal(message) }),
  });
}

/** Returns true if the operation builds its own responses, such as its own 404 page. */
export function isRaw(
  { envelope }: Contract,
  status: number,
  headers: Readonly<Record<string, string | number | boolean>>,
): boolean {
  const isJson = String(headers['content-type']).startsWith('application/json');

  return envelope === 'raw' && (status < 400 || !isJson);
}

/** Returns the response body after checking it against the contract. */
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

/**
 * Calls an endpoint through its real handler, and checks the response and log against the contract.
 */
export function call(contract: Contract, options: Call = {}): Promise<Answer> {
  return send(contract, gatewayEvent(contract, options));
}

/** Like `call`, with a handmade or modified event. */
export async function send(contract: Contract, event: APIGatewayProxyEventV2): Promise<Answer> {
  const handler = await handlerOf(contract);
  const place = placeInLog();
  const answer = await handler({ ...event }, lambdaContext());
  const body = checkedBody(contract, answer);
  expectLogged({ contract, request: event, answer }, place);

  return {
    status: answer.statusCode,
    body,
    headers: (answer.headers ?? {}) as Record<string, string>,
    cookies: answer.cookies ?? [],
  };
}
