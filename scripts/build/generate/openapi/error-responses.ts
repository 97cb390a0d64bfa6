import type { Contract } from '#schemas/contract.ts';
import { errorKinds } from '#schemas/errors.ts';
import type { Response } from './document.ts';
import { headersOf, type ResponseHeader } from './headers.ts';
import { componentReference, type JsonSchema } from './json-schema.ts';
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
  const sentences = new Set(refusals.flatMap(({ when }) => when ?? []));

  return {
    description: [...sentences].join(' ') || reasonOf(refusals),
    ...headersOf(headerNames(status)),
    content: {
      'application/json': { schema: healthSchema(contract, status) ?? schemaOf(status, refusals) },
    },
  };
}

function reasonOf([first]: readonly Refusal[]): string {
  return first ? errorKinds[first.kind].error : '';
}

/** Returns the schema of health endpoints, which have their own error bodies. */
function healthSchema({ failures }: Contract, status: number): JsonSchema | undefined {
  if (failures !== 'health' || (status !== 500 && status !== 503)) {
    return undefined;
  }

  return componentReference(status === 500 ? 'HealthError' : 'HealthUnavailable');
}

/** Returns the common body of the status, with the codes that can occur. */
function schemaOf(status: number, refusals: readonly Refusal[]): JsonSchema {
  const codes = [...new Set(refusals.map(({ code }) => code))].toSorted();

  return {
    allOf: [componentReference(`Error${status}`), { properties: { code: { enum: codes } } }],
  };
}

function headerNames(status: number): readonly ResponseHeader[] {
  const limited = status === 429 ? (['RateLimit-Policy', 'RateLimit'] as const) : [];
  const retried = status === 429 || status === 503 ? (['Retry-After'] as const) : [];
  const logged = status === 500 ? (['X-Request-Id'] as const) : [];

  return [...logged, ...limited, ...retried];
}
