import { badRequest, bodyInvalid, rejectIssues } from '#lib/platform/errors/failures.ts';
import { malformedBody, rawBody } from '#lib/platform/http/raw-body.ts';
import type { HttpEvent, HttpRequest, Middleware } from '#lib/platform/http/request.ts';
import { findUnknownFields, maxReported } from '#lib/platform/http/unknown-fields.ts';
import { issueOf, issuesIn } from '#lib/platform/http/validation.ts';
import { parseJson } from '#lib/platform/parse-json.ts';
import type { Contract } from '#schemas/contract.ts';
import type { Issue } from '#schemas/errors.ts';
import * as z from '#schemas/zod.ts';

const maxDepth = 32;

/** The fields of a request that are valid on their own. */
type ValidFields = { readonly params: unknown; readonly query: unknown; readonly body: unknown };

/**
 * Returns problems that the contract's schemas cannot express, such as a field that depends on
 * another field. Each problem starts with the path of its field. Invalid fields are omitted, so
 * that one response reports all errors.
 */
export type Rules = (valid: ValidFields) => readonly string[];

/**
 * Validates query and body against the contract and the rules, and stores the parsed values.
 * Unknown fields are ignored and reported as warnings, or rejected if the caller or the contract
 * requires it. Problems from `timeRules` alone do not reject a request, because a repeated request
 * must pass again.
 */
export function validate(
  contract: Contract,
  rules: Rules = () => [],
  timeRules: Rules = () => [],
): Middleware {
  const asIssue = (problem: string): Issue => issueOf(problem, contract);

  return {
    before: ({ event }: HttpRequest): void => {
      const body = contract.body ? requireObject(event.body) : undeclaredBody(contract, event);
      const query = parsed(contract.query, event.queryStringParameters ?? {});
      const content = parsed(bodySchemaOf(contract, event, body), body);
      const unknown = unknownIn(contract, event, body);
      const { state } = event;
      state.warnings = unknown.ignored.slice(0, maxReported).map(({ message }) => message);
      const invalid = new Set(
        [...query.issues, ...content.issues].map(({ path }) => String(path[0])),
      );
      const valid = { params: state.input.params, query: query.valid, body: content.valid };
      const broken = [...pageProblems(query.valid), ...rules(valid)].filter(
        (problem) => !invalid.has(/^\w*/.exec(problem)?.[0] ?? ''),
      );
      const issues = [
        ...issuesIn('query', query.issues),
        ...issuesIn('body', content.issues),
        ...broken.map(asIssue),
        ...unknown.rejected,
      ];
      rejectIssues(issues.length > 0 ? [...issues, ...timeRules(valid).map(asIssue)] : []);
      Object.assign(state.input, valid);
    },
  };
}

const nothing = z.object({});

function unknownIn(
  contract: Contract,
  { headers, queryStringParameters }: HttpEvent,
  given: object,
): { readonly rejected: readonly Issue[]; readonly ignored: readonly Issue[] } {
  const { query = nothing, body = nothing, strict } = contract;
  if (isForStrangers(contract)) {
    return { rejected: [], ignored: [] };
  }
  const isStrict = wantsStrictHandling(headers.prefer);
  const inQuery = findUnknownFields(query, queryStringParameters ?? {}, 'query');
  const inBody = findUnknownFields(body, given, 'body');
  const rejected = [...(isStrict ? inQuery : []), ...(isStrict || strict ? inBody : [])];

  return { rejected, ignored: [...inQuery, ...inBody].filter((one) => !rejected.includes(one)) };
}

/** https://www.rfc-editor.org/rfc/rfc7240: the first of several values counts. */
function wantsStrictHandling(prefer = ''): boolean {
  const [, value] = /(?:^|,)\s*handling\s*=\s*"?(\w+)/i.exec(prefer) ?? [];

  return value?.toLowerCase() === 'strict';
}

/** Pages, and webhooks of vendors whose bodies are not declared. They accept any fields. */
function isForStrangers({ access, envelope, method, body }: Contract): boolean {
  return access.kind === 'public' && (envelope === 'raw' || (method !== 'GET' && !body));
}

/** Returns the body of a request whose operation has none, to report its fields. */
function undeclaredBody(contract: Contract, event: HttpEvent): object {
  const sent =
    isForStrangers(contract) || !event.body
      ? undefined
      : parseJson(rawBody(event).toString('utf8'));
  const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent);

  return isObject ? sent : {};
}

type Parsed = { readonly issues: readonly z.core.$ZodIssue[]; readonly valid: object };

/** Also returns the valid fields of an invalid object. */
function parsed(schema: z.ZodObject | undefined, given: object): Parsed {
  const result = schema?.safeParse(given, { reportInput: true });
  if (!schema || !result || result.success) {
    return { issues: [], valid: result?.data ?? {} };
  }
  const invalid = new Set(result.error.issues.map(({ path }) => path[0]));
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    const value = invalid.has(name)
      ? undefined
      : (field as z.ZodType).safeParse((given as Readonly<Record<string, unknown>>)[name]).data;

    return value === undefined ? [] : [[name, value] as const];
  });

  return { issues: result.error.issues, valid: Object.fromEntries(fields) };
}

function pageProblems(query: object): readonly string[] {
  const { page, cursor } = query as { readonly page?: unknown; readonly cursor?: unknown };

  return page !== undefined && cursor !== undefined ? ['page cannot be combined with cursor'] : [];
}

function bodySchemaOf({ body, anonymousBody }: Contract, { state }: HttpEvent, given: object) {
  const isAnonymous = state.identity === undefined;

  return isAnonymous && anonymousBody ? anonymousBody({ ...given }) : body;
}

function requireObject(parsed: unknown): object {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw bodyInvalid([malformedBody]);
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
