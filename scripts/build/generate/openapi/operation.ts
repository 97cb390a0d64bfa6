import * as z from 'zod';
import { acceptsAnonymous, areaOf, type Contract, type Deprecation } from '#schemas/contract.ts';
import { pascalCase } from '../pascal-case.ts';
import { composeExample } from './compose-example.ts';
import type {
  MediaType,
  Operation,
  RequestBody,
  Response,
  SecurityRequirement,
} from './document.ts';
import { errorResponses } from './error-responses.ts';
import { isStatic, limitInWords, ownLimitsOf } from './facts.ts';
import { headersOf } from './headers.ts';
import {
  type ConvertedSchema,
  componentReference,
  convertSchema,
  type JsonSchema,
} from './json-schema.ts';
import { parametersOf } from './parameters.ts';

/** Collected from all operations while the document is generated. */
export type Gathered = {
  readonly components: Map<string, JsonSchema>;
  readonly missingExamples: string[];
};

const securityOfPeople: readonly SecurityRequirement[] = [{ bearer: [] }, { cookie: [] }];
/** An empty requirement makes the others optional. */
const nobody: SecurityRequirement = {};

/** Applies to operations without `security`. */
export const commonSecurity: readonly SecurityRequirement[] = [...securityOfPeople, { apiKey: [] }];

function securityOf({ access }: Contract): Pick<Operation, 'security'> {
  if (access.kind === 'public') {
    return { security: [] };
  }
  if (access.kind === 'operator') {
    return { security: [{ operatorKey: [] }] };
  }
  if (access.bearerOnly) {
    return { security: [{ bearer: [] }, { apiKey: [] }] };
  }

  if (access.peopleOnly || acceptsAnonymous(access)) {
    const accepted = access.peopleOnly ? securityOfPeople : commonSecurity;

    return { security: acceptsAnonymous(access) ? [...accepted, nobody] : accepted };
  }

  return {};
}

/** Returns the operation for a contract. */
export function operationOf(contract: Contract, gathered: Gathered): Operation {
  const parameters = parametersOf(contract);

  return {
    operationId: contract.operationId,
    summary: contract.summary,
    description: describe(contract),
    tags: [areaOf(contract), ...(contract.specified ? [] : ['extension'])],
    ...(contract.deprecated && { deprecated: true }),
    ...securityOf(contract),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(contract.body ? { requestBody: requestBody(contract, contract.body, gathered) } : {}),
    responses: withOtherResponses(contract, gathered, {
      [String(contract.status ?? 200)]: success(contract, gathered),
      ...(contract.created
        ? {
            '201': success(
              { ...contract, status: 201, ...contract.created },
              gathered,
              'created response',
            ),
          }
        : {}),
      ...(isStatic(contract) ? { '304': notModified } : {}),
      ...errorResponses(contract),
    }),
  };
}

/** Adds the responses that a raw operation returns itself, by status and media type. */
function withOtherResponses(
  contract: Contract,
  gathered: Gathered,
  responses: Readonly<Record<string, Response>>,
): Readonly<Record<string, Response>> {
  const all = { ...responses };
  for (const { status, when, contentType, response } of contract.otherResponses ?? []) {
    const present = all[status];
    const { headers } = present ?? success(contract, gathered);
    const path = `${contract.operationId} ${status}`;
    const body = response
      ? { schema: gather(convertSchema(response, 'output'), gathered, path) }
      : asText(convertSchema(htmlPage, 'output'));
    all[status] = {
      description: present ? `${present.description} ${when}` : when,
      ...(headers && { headers }),
      content: {
        ...present?.content,
        ...(contentType ? { [mediaTypeIn(contentType)]: body } : {}),
      },
    };
  }

  return all;
}

const htmlPage = z.object({}).meta({ description: 'An HTML page.', example: '<!doctype html>' });

/** Clients treat a type with parameters as a different type. */
function mediaTypeIn(contentType: string): string {
  return contentType.split(';')[0] ?? '';
}

function describe(contract: Contract): string {
  const limits = ownLimitsOf(contract).map(limitInWords);

  return [
    ...(contract.description ? [contract.description] : []),
    `${accessInWords(contract)}${isForPeople(contract) ? ' Not available to API keys.' : ''}`,
    ...(limits.length > 0 ? [`At most ${limits.join(', and ')}.`] : []),
    ...deprecationsOf(contract),
  ].join('\n\n');
}

function deprecationsOf({ deprecated, deprecatedFields = {} }: Contract): readonly string[] {
  const inWords = (what: string, { since, until, instead }: Deprecation) =>
    `Deprecated: ${what} since ${since}, until ${until}. ${instead}`;

  return [
    ...(deprecated ? [inWords('this operation', deprecated)] : []),
    ...Object.entries(deprecatedFields).map(([name, field]) => inWords(`\`${name}\``, field)),
  ];
}

function accessInWords({ access }: Contract): string {
  if (access.kind === 'public') {
    return 'Requires no authentication.';
  }
  if (access.kind === 'operator') {
    return "Requires an operator's key.";
  }
  if (access.kind === 'user') {
    const callers = access.peopleOnly ? 'a signed-in user' : 'a signed-in user or an API key';

    return access.anonymous ? `For ${callers}, or without credentials.` : `Requires ${callers}.`;
  }
  const members = `Role: ${access.lowestRole} or higher`;

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
  const path = `${contract.operationId} body`;
  const { schema, components } = convertSchema(body, 'input');
  const source = { components, missing: gathered.missingExamples };
  const whole = composeExample(schema, source, path);
  const example = contract.method === 'PATCH' ? aChange(whole, schema) : whole;
  const reference = gather({ schema: withoutExamples(schema), components }, gathered, path);

  return {
    ...(Object.keys(body.shape).length > 0 && { required: true }),
    content: { 'application/json': withNamedExamples({ schema: reference, example }, contract) },
  };
}

/** Changes need only a few fields: the required ones and the first two. */
function aChange(whole: unknown, { required = [] }: JsonSchema): unknown {
  const fields = Object.entries(Object(whole));
  const shown = fields.filter(([name], index) => index < 2 || required.includes(name));

  return Object.fromEntries(shown);
}

/** The example of the whole body shows the same values. */
function withoutExamples({ properties, ...schema }: JsonSchema): JsonSchema {
  if (!properties) {
    return schema;
  }
  const fields = Object.entries(properties).map(([name, { examples: _, ...field }]) => [
    name,
    field,
  ]);

  return { ...schema, properties: Object.fromEntries(fields) };
}

/** Fields that exclude each other cannot be in the same example. */
function withNamedExamples(composed: MediaType, { bodyExamples }: Contract): MediaType {
  if (!bodyExamples) {
    return composed;
  }
  const { schema, example } = composed;
  const all = example as Readonly<Record<string, unknown>>;
  const named = Object.entries(bodyExamples).map(([name, { summary, fields, values }]) => {
    const shown = Object.fromEntries(fields.map((field) => [field, all[field]]));

    return [name, { summary, value: { ...shown, ...values } }] as const;
  });
  const [[, only] = ['', undefined], ...others] = named;

  return others.length === 0 && only
    ? { schema, example: only.value }
    : { schema, examples: Object.fromEntries(named) };
}

function success(contract: Contract, gathered: Gathered, name = 'response'): Response {
  const setsCookie = contract.response && 'authToken' in contract.response.shape;
  const contentType = contract.envelope === 'raw' ? contract.contentType : undefined;

  return {
    description: contract.status === 201 ? 'Created.' : 'OK.',
    ...headersOf([
      ...(isStatic(contract) ? (['ETag', 'Cache-Control'] as const) : []),
      ...(setsCookie ? (['Set-Cookie'] as const) : []),
    ]),
    content: {
      [mediaTypeIn(contentType ?? 'application/json')]: successBody(contract, gathered, name),
    },
  };
}

const notModified: Response = {
  description: 'The cached version is still current.',
  ...headersOf(['ETag', 'Cache-Control']),
};

function successBody(contract: Contract, gathered: Gathered, name: string): MediaType {
  const { contentType = 'application/json', operationId, response } = contract;
  const converted = convertSchema(response ?? z.object({}), 'output');
  if (mediaTypeIn(contentType) !== 'application/json') {
    return asText(converted);
  }
  const path = `${operationId} ${name}`;

  return { schema: gather(inEnvelope(converted, contract), gathered, path) };
}

const envelopeFields = {
  success: { type: 'boolean', const: true },
  message: { type: 'string', examples: ['Lead created successfully'] },
} as const satisfies Record<string, JsonSchema>;

const warnings = componentReference('Warnings');

const envelope: JsonSchema = {
  type: 'object',
  properties: { ...envelopeFields, warnings },
  required: Object.keys(envelopeFields),
};

function inEnvelope({ schema, components }: ConvertedSchema, contract: Contract): ConvertedSchema {
  const hasSuccess = (contract.envelope ?? 'success') === 'success';
  const hasMessage = contract.message !== undefined;
  if (hasSuccess && hasMessage) {
    const common = componentReference('Envelope');
    const { type: _, ...fields } = schema;
    const isEmpty = Object.keys(schema.properties ?? {}).length === 0;

    return {
      schema: isEmpty ? common : { allOf: [common], ...fields },
      components: { ...components, Envelope: envelope },
    };
  }
  const { success, message } = envelopeFields;
  const added = { ...(hasSuccess && { success }), ...(hasMessage && { message }) };

  return {
    schema: {
      ...schema,
      properties: { ...schema.properties, ...added, warnings },
      required: [...(schema.required ?? []), ...Object.keys(added)],
    },
    components,
  };
}

/** Describes a non-JSON body as a string, because its schema only describes it. */
function asText({ schema: { description, examples } }: ConvertedSchema): MediaType {
  return {
    schema: { type: 'string', ...(description && { description }), ...(examples && { examples }) },
  };
}

/**
 * Adds a schema and its components, and returns a reference to it, such as `CreateLeadResponse`. If
 * another component is equal, the new one refers to it.
 */
export function gather(
  { schema, components }: ConvertedSchema,
  gathered: Gathered,
  path: string,
): JsonSchema {
  for (const [name, component] of Object.entries(components)) {
    addComponent(gathered, name, component);
  }
  if (schema.$ref) {
    return schema;
  }
  const name = pascalCase(path);
  const json = JSON.stringify(schema);
  const [same] =
    [...gathered.components].find(
      ([other, present]) => other !== name && JSON.stringify(present) === json,
    ) ?? [];
  addComponent(gathered, name, same ? componentReference(same) : schema);

  return componentReference(name);
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
