import type { CatalogEntry } from '#lib/features/mcp/tool-catalog.ts';
import {
  hasTenant,
  listOf,
  pathArguments,
  toolContractOf,
} from '#lib/features/mcp/tool-contract.ts';
import { id } from '#schemas/common.ts';
import { type Contract, type Role, snakeCase } from '#schemas/contract.ts';
import { toolsFile } from '#schemas/mcp.ts';
import * as z from '#schemas/zod.ts';
import type { GeneratedFile } from './generated-file.ts';
import { convertSchema, type Direction, type JsonSchema } from './openapi/json-schema.ts';

/** The tools that `POST /mcp` lists, with one line for each. */
export function generateTools(endpoints: readonly Contract[]): GeneratedFile {
  const tools = endpoints.filter(({ tool }) => tool).map(catalogEntryOf);
  const lines = tools.map((entry) => JSON.stringify(entry)).join(',\n');

  return { path: toolsFile, content: `[\n${lines}\n]\n` };
}

function catalogEntryOf(contract: Contract): CatalogEntry {
  const { operationId, summary, description } = contract;
  const tool = {
    name: snakeCase(operationId),
    title: summary,
    description: description ? `${summary}. ${description}` : `${summary}.`,
    inputSchema: schemaOf(inputOf(contract), 'input'),
    outputSchema: schemaOf(outputOf(contract), 'output'),
    annotations: annotationsOf(contract),
  };

  return { lowestRole: lowestRoleOf(contract), tool };
}

function lowestRoleOf({ access }: Contract): Role {
  return access.kind === 'member' ? access.lowestRole : 'VIEWER';
}

/** A role that can only view cannot change anything, whatever the method. */
function annotationsOf(contract: Contract) {
  const { method } = contract;
  const readOnlyHint = method === 'GET' || lowestRoleOf(contract) === 'VIEWER';

  return {
    readOnlyHint,
    // All other operations add something, and overwrite nothing.
    destructiveHint: !readOnlyHint && method !== 'POST',
    idempotentHint: readOnlyHint || method !== 'POST',
  };
}

const tenant = id()
  .optional()
  .meta({ description: 'The current organization by default. See `list_organizations`.' });

/** All arguments in one flat object. */
function inputOf(contract: Contract): z.ZodObject {
  const { params, query, body } = toolContractOf(contract);
  const inPath = [...pathArguments(contract)].map(([argument, name]) => [
    argument,
    params?.shape[name],
  ]);
  const parts = [
    Object.fromEntries(inPath),
    hasTenant(contract) ? { organizationId: tenant } : {},
    query?.shape ?? {},
    body?.shape ?? {},
  ];
  const names = parts.flatMap((part) => Object.keys(part));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) {
    throw new Error(`The tool ${contract.operationId} has two arguments named ${twice}`);
  }

  return z.strictObject(Object.assign({}, ...parts));
}

function outputOf(contract: Contract): z.ZodObject {
  const { response = z.object({}), envelope = 'success', message } = contract;

  return response.extend({
    ...(envelope === 'success' && { success: z.literal(true) }),
    ...(message && { message: z.string() }),
    ...(listOf(contract) && { nextCursor: z.string().nullable() }),
  });
}

type ToolSchema = CatalogEntry['tool']['inputSchema'];

/** A JSON Schema without references to other schemas. */
function schemaOf(object: z.ZodObject, direction: Direction): ToolSchema {
  const { schema, components } = convertSchema(object, direction);
  const whole = { ...schema, ...(Object.keys(components).length > 0 && { $defs: components }) };
  const local = JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/');

  return brief(JSON.parse(local), direction) as ToolSchema;
}

/**
 * Keywords that fill an agent's context without helping it. Results are understandable by their
 * values.
 */
const noise = {
  input: new Set(['examples']),
  output: new Set([
    'description',
    'examples',
    'format',
    'pattern',
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'maxItems',
  ]),
} as const satisfies Record<Direction, ReadonlySet<string>>;

/** Keywords that contain field names instead of other keywords. */
const namesFields = new Set(['properties', '$defs', 'patternProperties']);

function brief(schema: JsonSchema, direction: Direction): JsonSchema {
  const entries = Object.entries(schema)
    .filter(([keyword]) => !noise[direction].has(keyword))
    .map(([keyword, value]) => [
      keyword,
      namesFields.has(keyword)
        ? mapValues(value as Readonly<Record<string, JsonSchema>>, (one) => brief(one, direction))
        : briefValue(value, direction),
    ]);

  return Object.fromEntries(entries);
}

function briefValue(value: unknown, direction: Direction): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => briefValue(item, direction));
  }

  return typeof value === 'object' && value !== null
    ? brief(value as JsonSchema, direction)
    : value;
}

function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Readonly<Record<string, Result>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
