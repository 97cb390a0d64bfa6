import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { expect } from 'vitest';
import * as z from 'zod';
import type { HttpAnswer } from '#lib/platform/http/request.ts';
import { areaOf, type Contract, kebabCase } from '#schemas/contract.ts';
import {
  type ErrorCode,
  errorCodes,
  errorKinds,
  issuePlaces,
  issueRules,
} from '#schemas/errors.ts';
import { operationOf } from '#scripts/build/generate/openapi/operation.ts';
import { type Refusal, refusalsOf } from '#scripts/build/generate/openapi/refusals.ts';
import { expectLogged, placeInLog } from './log-book.ts';
import { startLater } from './own-table.ts';
import { sharedCodes } from './registry/shared-codes.ts';

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpAnswer>;

export type CallInput = {
  /** Values for the placeholders in the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON, strings unchanged. */
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
export function handlerOf(contract: Contract): Promise<Handler> {
  const path = `../../functions/${areaOf(contract)}/${kebabCase(contract.operationId)}.ts`;
  const known = handlers.get(path) ?? import(path).then((module) => module.handler as Handler);
  handlers.set(path, known);

  return known;
}

let addresses = 0;

/**
 * Returns an IP address in a network that no other call of this run uses, so that IP limits do not
 * affect each other.
 */
export function freshIp(): string {
  addresses += 1;

  const network = (addresses & 0xffff).toString(16);

  return `2001:db8:${process.pid.toString(16).slice(-4)}:${network}::${(addresses >> 16).toString(16)}`;
}

/** Returns the API Gateway event for a call (payload format 2.0). */
export function gatewayEvent(contract: Contract, call: CallInput = {}): APIGatewayProxyEventV2 {
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
  code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
  message: z.union([z.string(), z.array(z.string()).min(1)]),
  error: z.string(),
  requestId: z.string(),
  issues: z
    .array(
      z.strictObject({
        in: z.enum(issuePlaces),
        path: z.string(),
        rule: z.enum(issueRules),
        message: z.string(),
      }),
    )
    .optional(),
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

const declaredErrors = new Map<Contract, readonly Refusal[]>();

/** Expects a code and status that the contract, and therefore the OpenAPI document, declares. */
function expectDeclared(contract: Contract, { statusCode, code, error }: ErrorEnvelope): void {
  const declared = declaredErrors.get(contract) ?? refusalsOf(contract);
  declaredErrors.set(contract, declared);
  const found = declared.filter((refusal) => refusal.code === code);
  const statuses = found.map(({ kind }) => errorKinds[kind]);

  expect(statuses, `${contract.operationId} does not declare ${code}`).toContainEqual({
    statusCode,
    error,
  });
}

/** Messages by operation and code. */
const messagesSeen = new Map<string, string>();

/** Expects a different code for a different message, unless programs treat both in the same way. */
function expectOwnCode({ operationId }: Contract, { code, message }: ErrorEnvelope): void {
  if (code in sharedCodes || Array.isArray(message)) {
    return;
  }
  const key = `${operationId} ${code}`;
  const known = messagesSeen.get(key) ?? message;
  messagesSeen.set(key, known);

  expect(message, `${key} has two messages: see sharedCodes`).toBe(known);
}

function expectIssues({ code, message, issues }: ErrorEnvelope): void {
  const expected = code === 'VALIDATION_FAILED' ? [message].flat() : undefined;
  expect(issues?.map((issue) => issue.message)).toEqual(expected);
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
    expectDeclared(contract, envelope);
    expectOwnCode(contract, envelope);
    expectIssues(envelope);

    return;
  }
  if (status === 201 && contract.created) {
    expect(schemaOf(contract.created).parse(body)).toEqual(body);

    return;
  }
  expect(status).toBe(contract.status ?? 200);
  expect(answerSchemaOf(contract).parse(body)).toEqual(body);
  expectTotal(contract, body as Readonly<Record<string, unknown>>);
}

/** The total of a list without pages is the number of its elements. */
function expectTotal({ query }: Contract, body: Readonly<Record<string, unknown>>): void {
  const [list, ...others] = Object.values(body).filter(Array.isArray);
  if (list && others.length === 0 && typeof body.total === 'number' && !query?.shape.limit) {
    expect(body.total).toBe(list.length);
  }
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
    ...((envelope ?? 'success') === 'success' && { success: z.literal(true) }),
    ...(message && { message: z.literal(message) }),
    warnings: z.array(z.string()).min(1).optional(),
  });
}

/** Returns true if the operation builds its own responses, such as a 404 page. */
export function isRaw(
  { envelope }: Contract,
  status: number,
  headers: Readonly<Record<string, string | number | boolean>>,
): boolean {
  const isJson = String(headers['content-type']).startsWith('application/json');

  return envelope === 'raw' && (status < 400 || !isJson);
}

function isJson({ contentType = '' }: Contract): boolean {
  return contentType.startsWith('application/json');
}

type Documented = Readonly<Record<string, { readonly content?: object }>>;

const documentedResponses = new Map<Contract, Documented>();

/** Returns the responses of the operation in the OpenAPI document, by status. */
function responsesOf(contract: Contract): Documented {
  const gathered = { components: new Map(), missingExamples: [] };
  const known =
    documentedResponses.get(contract) ?? (operationOf(contract, gathered).responses as Documented);
  documentedResponses.set(contract, known);

  return known;
}

/** Expects a status and a media type that the OpenAPI document declares for this operation. */
function expectDocumented(contract: Contract, { statusCode, headers = {} }: HttpAnswer): void {
  const [mediaType = ''] = String(headers['content-type'] ?? '').split(';');
  const response = responsesOf(contract)[String(statusCode)];
  const types = Object.keys(response?.content ?? {});
  const isNamed = types.some((type) => type === mediaType || type === '*/*');
  const what = `${contract.operationId} may not answer ${statusCode} ${mediaType}`;
  expect(response !== undefined && (isNamed || mediaType === ''), what).toBe(true);
}

/** Returns the response body after checking it against the contract. */
function checkedBody(contract: Contract, answer: HttpAnswer): Answer['body'] {
  const { statusCode, headers, body, isBase64Encoded } = answer;
  expectDocumented(contract, answer);
  if (isRaw(contract, statusCode, headers ?? {})) {
    if (statusCode === 200 && isJson(contract)) {
      const text = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString();
      checkAnswer(contract, statusCode, JSON.parse(text));
    }

    return body;
  }
  const parsed = JSON.parse(body ?? 'null');
  checkAnswer(contract, statusCode, parsed);

  return statusCode < 400 ? parsed : withoutRequestId(parsed, headers);
}

/** Checks the request id of an error and removes it, so that errors can be compared. */
function withoutRequestId({ requestId, ...body }: Answer['body'], headers: HttpAnswer['headers']) {
  if (body.success === false) {
    expect(requestId).toBe(headers?.['x-request-id']);
  }

  return body;
}

/**
 * Calls an endpoint through its real handler, and checks the response and log against the contract.
 */
export function call(contract: Contract, options: CallInput = {}): Promise<Answer> {
  return send(contract, gatewayEvent(contract, options));
}

/** Returns a function that calls operations on an organization as one of its members. */
export function askAs({ token, organizationId }: Member) {
  return (contract: Contract, { params, ...options }: CallInput = {}): Promise<Answer> =>
    call(contract, { token, params: { organization_id: organizationId, ...params }, ...options });
}

type Member = { readonly token: string; readonly organizationId: string };

/** Calls an endpoint through its real handler. Checks the response and log against the contract. */
export async function send(contract: Contract, event: APIGatewayProxyEventV2): Promise<Answer> {
  const handler = await handlerOf(contract);
  const place = placeInLog();
  const answer = await startLater(() => handler({ ...event }, lambdaContext()));
  const body = checkedBody(contract, answer);
  expectLogged({ contract, request: event, answer }, place);

  return {
    status: answer.statusCode,
    body,
    headers: (answer.headers ?? {}) as Record<string, string>,
    cookies: answer.cookies ?? [],
  };
}
