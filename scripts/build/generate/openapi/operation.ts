import * as z from 'zod';
import type { Contract } from '#schemas/contract.ts';
import { composeExample } from './compose-example.ts';
import type {
  MediaType,
  Operation,
  RequestBody,
  Response,
  SecurityRequirement,
} from './document.ts';
import { errorResponses } from './error-responses.ts';
import { isIdempotent, isStatic, limitInWords, limitsOf, ownLimitsOf } from './facts.ts';
import { headerReferences } from './headers.ts';
import {
  type ConvertedSchema,
  convertSchema,
  type Direction,
  type JsonSchema,
} from './json-schema.ts';
import { parametersOf } from './parameters.ts';

/** Collected from all operations while the document is generated. */
export type Gathered = {
  readonly components: Map<string, JsonSchema>;
  readonly missingExamples: string[];
};

const securityOfPeople: readonly SecurityRequirement[] = [{ bearer: [] }, { cookie: [] }];
const securityOfKeysToo: readonly SecurityRequirement[] = [...securityOfPeople, { apiKey: [] }];

function securityOf({ access }: Contract): readonly SecurityRequirement[] {
  if (access.kind === 'public') {
    return [];
  }

  return access.peopleOnly ? securityOfPeople : securityOfKeysToo;
}

/** The operation that a contract describes. */
export function operationOf(contract: Contract, gathered: Gathered): Operation {
  const parameters = parametersOf(contract);

  return {
    operationId: contract.operationId,
    summary: contract.summary,
    description: describe(contract),
    tags: [contract.area, ...(contract.extension ? ['extension'] : [])],
    security: securityOf(contract),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(contract.body ? { requestBody: requestBody(contract, contract.body, gathered) } : {}),
    responses: {
      [String(contract.status ?? 200)]: success(contract, gathered),
      ...(contract.created
        ? { '201': success({ ...contract, status: 201, ...contract.created }, gathered) }
        : {}),
      ...(isStatic(contract) ? { '304': notModified } : {}),
      ...errorResponses(contract),
    },
  };
}

function describe(contract: Contract): string {
  const limits = ownLimitsOf(contract).map(limitInWords);

  return [
    ...(contract.description ? [contract.description] : []),
    `${accessInWords(contract)}${isForPeople(contract) ? ' Not available to API keys.' : ''}`,
    ...(limits.length > 0 ? [`Limited to ${limits.join(', and ')}.`] : []),
  ].join('\n\n');
}

function accessInWords({ access }: Contract): string {
  if (access.kind === 'public') {
    return 'Requires no authentication.';
  }
  if (access.kind === 'user') {
    return access.peopleOnly
      ? 'Requires a signed-in user.'
      : 'Requires a signed-in user or an API key.';
  }
  const members = `Requires the role ${access.lowestRole} or higher in the organization`;

  return access.unless
    ? `${members}, or ${access.unless.lowestRole} or higher if the organization has enabled \`${access.unless.setting}\`.`
    : `${members}.`;
}

function isForPeople({ access }: Contract): boolean {
  return access.kind === 'member' && access.peopleOnly === true;
}

function requestBody(
  contract: Contract,
  body: NonNullable<Contract['body']>,
  gathered: Gathered,
): RequestBody {
  const converted = convertSchema(body, 'input');

  return {
    required: Object.keys(body.shape).length > 0,
    content: {
      'application/json': withExample(converted, gathered, `${contract.operationId} body`),
    },
  };
}

function success(contract: Contract, gathered: Gathered): Response {
  const setsCookie = contract.response && 'authToken' in contract.response.shape;
  const headers = headerReferences([
    'X-Request-Id',
    ...(limitsOf(contract).length > 0 ? (['RateLimit-Policy', 'RateLimit'] as const) : []),
    ...(isIdempotent(contract) ? (['Idempotent-Replayed'] as const) : []),
    ...(isStatic(contract) ? (['ETag', 'Cache-Control'] as const) : []),
    ...(setsCookie ? (['Set-Cookie'] as const) : []),
  ]);
  const contentType = contract.envelope === 'raw' ? contract.contentType : undefined;
  const description = contract.status === 201 ? 'Created.' : 'Success.';

  return {
    description,
    headers,
    content: {
      [contentType ?? 'application/json']: successBody(contract, gathered),
    },
  };
}

const notModified: Response = {
  description: 'The cached version is still current.',
  headers: headerReferences(['X-Request-Id', 'ETag', 'Cache-Control']),
};

function successBody(contract: Contract, gathered: Gathered): MediaType {
  const converted = convertSchema(contract.response ?? z.object({}), 'output');
  const path = `${contract.operationId} response`;
  if (contract.envelope === 'raw') {
    return withExample(
      isJson(contract.contentType) ? converted : asText(converted),
      gathered,
      path,
    );
  }

  return withExample(
    { ...converted, schema: inEnvelope(converted.schema, contract) },
    gathered,
    path,
  );
}

function isJson(contentType: string | undefined): boolean {
  return contentType === undefined || contentType.startsWith('application/json');
}

function inEnvelope(payload: JsonSchema, { envelope, message }: Contract): JsonSchema {
  const successField = envelope !== 'bare' && { success: { type: 'boolean', const: true } };
  const messageField = message && { message: { type: 'string', examples: [message] } };

  return {
    ...payload,
    properties: { ...successField, ...payload.properties, ...messageField },
    required: [
      ...(successField ? ['success'] : []),
      ...(payload.required ?? []),
      ...(messageField ? ['message'] : []),
    ],
  };
}

/** Represents a non-JSON body as a string, because its schema only describes it. */
function asText({ schema: { description, examples } }: ConvertedSchema): ConvertedSchema {
  const schema = {
    type: 'string',
    ...(description ? { description } : {}),
    ...(examples ? { examples } : {}),
  };

  return { schema, components: {} };
}

/** A schema as a request or response body, with its example. */
export function mediaTypeOf(
  schema: z.ZodType,
  direction: Direction,
  gathered: Gathered,
  path: string,
): MediaType {
  return withExample(convertSchema(schema, direction), gathered, path);
}

function withExample(
  { schema, components }: ConvertedSchema,
  gathered: Gathered,
  path: string,
): MediaType {
  for (const [name, component] of Object.entries(components)) {
    addComponent(gathered, name, component);
  }
  const missing = gathered.missingExamples;

  return { schema, example: composeExample(schema, { components, missing }, path) };
}

function addComponent({ components }: Gathered, name: string, schema: JsonSchema): void {
  const present = components.get(name);
  if (present && JSON.stringify(present) !== JSON.stringify(schema)) {
    throw new Error(
      `Two schemas have the id ${name}, or one schema differs between requests and responses`,
    );
  }
  components.set(name, schema);
}
