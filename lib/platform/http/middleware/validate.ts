import httpJsonBodyParser from '@middy/http-json-body-parser';
import { ApiError } from '#lib/platform/errors/api-error.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import type { Content, HttpEvent, HttpRequest, Middleware } from '#lib/platform/http/request.ts';
import { describeIssues } from '#lib/platform/http/validation.ts';
import type { Contract } from '#schemas/contract.ts';

const maxBodyBytes = 1024 * 1024;
const maxDepth = 32;
const malformedBody = 'Request body must be a valid JSON object';

const parser = httpJsonBodyParser();

/** Validates query and body against the contract and stores the parsed values. */
export function validate(contract: Contract): Middleware {
  return {
    before: async (request: HttpRequest): Promise<void> => {
      const { state } = request.event;
      Object.assign(state.input, await (state.content ?? checkContent(contract, request)));
    },
  };
}

/** @throws 400 for a query or body that does not match the contract. */
export async function checkContent(contract: Contract, request: HttpRequest): Promise<Content> {
  const { event } = request;
  const body = contract.body ? await readBody(request) : {};
  const query = contract.query?.safeParse(event.queryStringParameters ?? {}, {
    reportInput: true,
  });
  const content = contract.body?.safeParse(body, { reportInput: true });
  const messages = [
    ...describeIssues(query?.error?.issues ?? []),
    ...describeIssues(content?.error?.issues ?? []),
  ];
  if (messages.length > 0) {
    throw badRequest(...messages);
  }

  return { query: query?.data ?? {}, body: content?.data ?? {} };
}

async function readBody(request: HttpRequest): Promise<unknown> {
  const { event } = request;
  const raw = boundedRawBody(event);
  if (raw.length === 0) {
    return {};
  }
  const parsed = await parseJson(request);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw badRequest(malformedBody);
  }
  if (isDeeperThan(parsed, maxDepth)) {
    throw badRequest(`Request body must not be nested deeper than ${maxDepth} levels`);
  }
  if (hasReservedName(parsed)) {
    throw badRequest(
      'Request body must not contain a field named constructor, toString or valueOf at any depth',
    );
  }

  return parsed;
}

/**
 * Returns the raw body.
 *
 * @throws 413 if it is larger than any request may be.
 */
export function boundedRawBody(event: Pick<HttpEvent, 'body' | 'isBase64Encoded'>): Buffer {
  const raw = rawBody(event);
  if (raw.length > maxBodyBytes) {
    throw new ApiError('payloadTooLarge', 'Request body must not be larger than 1 MiB');
  }

  return raw;
}

/** Returns the raw body. */
export function rawBody({
  body,
  isBase64Encoded,
}: Pick<HttpEvent, 'body' | 'isBase64Encoded'>): Buffer {
  return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
}

/**
 * Uses the stock parser, but returns 400 instead of 422 for invalid JSON. The parser does not
 * accept whitespace before the parameters of a content type, which is valid:
 * https://www.rfc-editor.org/rfc/rfc9110#section-5.6.6
 */
async function parseJson({ event, context }: HttpRequest): Promise<unknown> {
  const type = event.headers['content-type']?.replace(/[\t ]+;/, ';');
  const headers = { ...event.headers, 'content-type': type };
  const copy = { event: { ...event, headers }, context } as unknown as Parameters<
    NonNullable<typeof parser.before>
  >[0];
  try {
    await parser.before?.(copy);
  } catch (failure) {
    const { statusCode } = failure as { statusCode?: number };
    if (statusCode === 415) {
      throw new ApiError('unsupportedMediaType', 'Content-Type must be application/json');
    }
    throw badRequest(malformedBody);
  }

  return copy.event.body;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }

  return levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1));
}

/**
 * Names that determine an object's type or its conversion to a primitive. The DynamoDB client would
 * misread an object with such a field, and schemas that compare `length` would throw.
 */
const reservedNames = ['constructor', 'toString', 'valueOf'];

function hasReservedName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }

  return (
    reservedNames.some((name) => Object.hasOwn(value, name)) ||
    Object.values(value).some(hasReservedName)
  );
}
