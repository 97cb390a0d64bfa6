import type { Contract } from '#schemas/contract.ts';
import { composeExample } from './compose-example.ts';
import type { Parameter, Reference } from './document.ts';
import { hearsOrganizationHeader, isIdempotent, isStatic } from './facts.ts';
import { convertSchema, type JsonSchema } from './json-schema.ts';

/**
 * Headers that several operations accept. Their examples are only in the schema, because
 * documentation pages would copy a parameter's own example into every request.
 */
export const headerParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes the request safe to retry. For 24 hours, requests with the same key and body return the original response with `Idempotent-Replayed: true`, and are not processed again.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      examples: ['5f0c3c1e-6d0b-4f0e-9a55-0a1f6f1c9a3b'],
    },
  },
  OrganizationId: {
    name: 'X-Organization-Id',
    in: 'header',
    description:
      "Selects one of the caller's organizations for this request. Default: the current organization of the session.",
    schema: {
      type: 'string',
      format: 'uuid',
      examples: ['0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f'],
    },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of your cached version. Returns 304 if the content has not changed.',
    schema: { type: 'string', examples: ['W/"1f0c3c1e6d0b4f0e"'] },
  },
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description:
      'The event ID, which is the same for every delivery attempt. Use it to ignore duplicates.',
    schema: { type: 'string', format: 'uuid', examples: ['0192f0c4-3c4d-7586-97a8-4d5e6f708192'] },
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description:
      'Unix time of this delivery attempt, in seconds. Reject deliveries older than five minutes.',
    schema: { type: 'string', examples: ['1768469400'] },
  },
  WebhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'Signature according to Standard Webhooks: `v1,` followed by the base64 HMAC-SHA256 of `<id>.<timestamp>.<body>`. For 24 hours after a secret changes, there are two space-separated signatures, one per secret. Accept the delivery if either is valid.',
    schema: { type: 'string', examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='] },
  },
} as const satisfies Record<string, Parameter>;

/** The parameters of an operation. */
export function parametersOf(contract: Contract): readonly (Parameter | Reference)[] {
  const path = contract.params ? convertSchema(contract.params, 'input').schema : {};
  const query = contract.query ? convertSchema(contract.query, 'input').schema : {};

  return [
    ...inPath(path),
    ...inQuery(query),
    ...(hearsOrganizationHeader(contract) ? [reference('OrganizationId')] : []),
    ...(isStatic(contract) ? [reference('IfNoneMatch')] : []),
    ...(isIdempotent(contract) ? [reference('IdempotencyKey')] : []),
  ];
}

function reference(name: keyof typeof headerParameters): Reference {
  return { $ref: `#/components/parameters/${name}` };
}

function inPath(schema: JsonSchema): readonly Parameter[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const example = composeExample(property, { components: {}, missing: [] }, name);

    return { ...parameter(name, 'path', property, true), example };
  });
}

function inQuery(schema: JsonSchema): readonly Parameter[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const isRequired = schema.required?.includes(name) ?? false;

    return property.type === 'array'
      ? { ...parameter(name, 'query', asList(property), isRequired), explode: false }
      : parameter(name, 'query', property, isRequired);
  });
}

/** A list in a query is separated by commas, like its example. */
function asList(property: JsonSchema): JsonSchema {
  const examples = (property.examples ?? []).map((example) =>
    typeof example === 'string' ? example.split(',') : example,
  );

  return { ...property, examples };
}

function parameter(
  name: string,
  place: Parameter['in'],
  { description, ...schema }: JsonSchema,
  required: boolean,
): Parameter {
  return {
    name,
    in: place,
    ...(required && { required }),
    ...(description ? { description } : {}),
    schema,
  };
}
