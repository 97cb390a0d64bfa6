import type { Contract } from '#schemas/contract.ts';
import { errorKinds } from '#schemas/errors.ts';
import type { MediaType, NamedExample, Response } from './document.ts';
import { isIdempotent } from './facts.ts';
import { headerReferences, type ResponseHeader } from './headers.ts';
import type { JsonSchema } from './json-schema.ts';
import { type Refusal, refusalsOf } from './refusals.ts';

/** The error responses of a contract, by status. */
export function errorResponses(contract: Contract): Readonly<Record<string, Response>> {
  const byStatus = Map.groupBy(refusalsOf(contract), ({ kind }) => errorKinds[kind].statusCode);

  return Object.fromEntries(
    [...byStatus].map(([status, refusals]) => [
      String(status),
      response(contract, status, refusals),
    ]),
  );
}

function response(contract: Contract, status: number, refusals: readonly Refusal[]): Response {
  const sentences = new Set(refusals.map(({ when }) => when));

  return {
    description: [...sentences].join(' '),
    headers: headerReferences(headersOf(contract, status)),
    content: {
      'application/json': healthContent(contract, status) ?? {
        schema: schemaOf(status, refusals),
        ...examplesOf(refusals),
      },
    },
  };
}

/** Health endpoints have their own error bodies. */
function healthContent({ failures }: Contract, status: number): MediaType | undefined {
  const timestamp = '2026-01-15T09:30:00.000Z';
  if (failures !== 'health' || (status !== 500 && status !== 503)) {
    return undefined;
  }

  return status === 500
    ? {
        schema: { $ref: '#/components/schemas/HealthError' },
        example: {
          status: 'error',
          timestamp,
          message: 'Internal server error',
          error: 'Internal Server Error',
        },
      }
    : {
        schema: { $ref: '#/components/schemas/HealthUnavailable' },
        example: {
          status: 'unhealthy',
          timestamp,
          message: 'The service is unavailable',
          services: { database: { status: 'outage', error: 'No response within 2000 ms' } },
        },
      };
}

function headersOf(contract: Contract, status: number): readonly ResponseHeader[] {
  const limited = status === 429 ? (['RateLimit-Policy', 'RateLimit'] as const) : [];
  const retried = status === 429 || status === 503 ? (['Retry-After'] as const) : [];
  const replayed = isKept(contract, status) ? (['Idempotent-Replayed'] as const) : [];

  return ['X-Request-Id', ...limited, ...retried, ...replayed];
}

/**
 * True if the response is stored under its `Idempotency-Key`. This applies to errors of the
 * operation itself.
 */
function isKept(contract: Contract, status: number): boolean {
  const kinds = contract.errors?.map((error) => (typeof error === 'string' ? error : error.kind));
  const isFromOperation = kinds?.some((kind) => errorKinds[kind].statusCode === status);

  return isIdempotent(contract) && Boolean(isFromOperation) && status < 500 && status !== 401;
}

function schemaOf(status: number, refusals: readonly Refusal[]): JsonSchema {
  const withCode = refusals.filter(({ fields }) => fields?.code !== undefined).length;
  const error = { $ref: '#/components/schemas/Error' };
  const authenticationError = { $ref: '#/components/schemas/AuthenticationError' };
  if (status !== 401 || withCode === 0) {
    return error;
  }

  return withCode === refusals.length
    ? authenticationError
    : { anyOf: [authenticationError, error] };
}

function examplesOf(refusals: readonly Refusal[]): Pick<MediaType, 'example' | 'examples'> {
  const [first, ...others] = distinct(
    refusals.map((refusal) => ({ summary: refusal.when, value: bodyOf(refusal) })),
  );
  if (others.length === 0) {
    return { example: first?.value };
  }
  const numbered = [first, ...others].map((example, index) => [`case${index + 1}`, example]);

  return { examples: Object.fromEntries(numbered) };
}

function bodyOf({ kind, message, fields }: Refusal) {
  const { statusCode, error } = errorKinds[kind];

  return { success: false, statusCode, message, error, ...fields };
}

function distinct(examples: readonly NamedExample[]): readonly NamedExample[] {
  const byValue = Map.groupBy(examples, ({ value }) => JSON.stringify(value));

  return [...byValue.values()].flatMap(([first]) => (first ? [first] : []));
}
