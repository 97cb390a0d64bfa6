import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { bearerOnly, type Contract, camelCase } from '#schemas/contract.ts';
import { maxToolEntries } from '#schemas/mcp.ts';
import * as z from '#schemas/zod.ts';

export type ToolArguments = Readonly<Record<string, unknown>>;

/** The name of the path parameter that a tool takes from the caller's organization. */
const tenant = 'organization_id';

/**
 * Returns the contract under which an operation runs as a tool. It uses the current organization
 * instead of an organization in the path.
 */
export function toolContractOf(contract: Contract): Contract {
  const { access, params, query = z.object({}) } = contract;
  if (access.kind === 'public' || access.kind === 'operator' || access.peopleOnly) {
    throw new Error(`A tool must accept API keys: ${contract.operationId}`);
  }
  const paged = pagesItself(contract) || !listOf(contract) ? query : query.extend({ cursor });

  return {
    ...contract,
    access: bearerOnly(access.kind === 'member' ? { ...access, organization: 'current' } : access),
    ...(params && { params: tenant in params.shape ? params.omit({ [tenant]: true }) : params }),
    query: paged,
  };
}

/** The position from which to continue a list that the operation returns as a whole. */
const cursor = z
  .string()
  .regex(/^[1-9]\d{0,5}$/)
  .optional()
  .meta({ description: 'The `nextCursor` of the previous result.' });

/** Returns the field of the response that is a list, if there is one. */
export function listOf({ response }: Contract): string | undefined {
  const [list] = Object.entries(response?.shape ?? {}).find(isArray) ?? [];

  return list;
}

function isArray([, field]: [string, z.core.$ZodType]): boolean {
  return field._zod.def.type === 'array';
}

/** True if the operation returns a list in pages. */
export function pagesItself({ query }: Contract): boolean {
  return query !== undefined && 'cursor' in query.shape && 'limit' in query.shape;
}

/** True if the tool acts in an organization. */
export function hasTenant({ access }: Contract): boolean {
  return access.kind === 'member';
}

/** The path parameters of a tool, by the names of its arguments. */
export function pathArguments({ params }: Contract): ReadonlyMap<string, string> {
  const names = Object.keys(params?.shape ?? {}).filter((name) => name !== tenant);

  return new Map(names.map((name) => [camelCase(name), name]));
}

/**
 * Returns the request for a call of a tool. Query values keep their types, because the schemas
 * accept these as well as strings.
 */
export function toolEvent(
  event: APIGatewayProxyEventV2,
  contract: Contract,
  given: ToolArguments,
  idempotencyKey: string | undefined,
): APIGatewayProxyEventV2 {
  const { organizationId, ...own } = given;
  const { path, query, body } = sorted(contract, hasTenant(contract) ? own : given);

  return {
    ...event,
    rawPath: contract.path.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
      encodeURIComponent(textOf(path[name] ?? placeholder)),
    ),
    headers: {
      ...event.headers,
      'content-type': 'application/json',
      // Unknown arguments are rejected.
      prefer: 'handling=strict',
      ...(hasTenant(contract) && isGiven(organizationId)
        ? { 'x-organization-id': textOf(organizationId) }
        : {}),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    pathParameters: path as Record<string, string>,
    queryStringParameters: withinBounds(contract, query) as Record<string, string>,
    body: JSON.stringify(body),
    isBase64Encoded: false,
  };
}

function sorted(contract: Contract, given: ToolArguments) {
  const inPath = pathArguments(contract);
  const isInQuery = (name: string) =>
    !contract.body || Object.hasOwn(contract.query?.shape ?? {}, name);
  const entries = Object.entries(given);
  const others = entries.filter(([name]) => !inPath.has(name));

  return {
    path: Object.fromEntries(
      [...inPath].map(([argument, name]) => [name, given[argument]]),
    ) as ToolArguments,
    query: Object.fromEntries(others.filter(([name, value]) => isInQuery(name) && isGiven(value))),
    body: Object.fromEntries(others.filter(([name]) => !isInQuery(name))),
  };
}

/** In a query, null is the same as absent. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function withinBounds(contract: Contract, query: ToolArguments): ToolArguments {
  if (!pagesItself(contract)) {
    return query;
  }
  const { limit = contract.query?.shape.limit?.safeParse(undefined).data ?? maxToolEntries } =
    query;
  const isTooHigh = typeof limit !== 'object' && Number(limit) > maxToolEntries;

  return { ...query, limit: isTooHigh ? maxToolEntries : limit };
}

/**
 * An agent can send any JSON. Values of other types are rejected later, with the argument's name.
 */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
