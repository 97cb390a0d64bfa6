import { badRequest } from '#lib/platform/errors/failures.ts';
import type { Content, HttpEvent, HttpRequest, Middleware } from '#lib/platform/http/request.ts';
import { describeIssues } from '#lib/platform/http/validation.ts';
import type { Contract } from '#schemas/contract.ts';
import { malformedBody } from './body-error.ts';

const maxDepth = 32;

/** Validates query and body against the contract and stores the parsed values. */
export function validate(contract: Contract): Middleware {
  return {
    before: ({ event }: HttpRequest): void => {
      const body = contract.body ? requireObject(event.body) : {};
      Object.assign(event.state.input, event.state.content ?? checkContent(contract, event, body));
    },
  };
}

/** @throws 400 for a query or body that does not match the contract. */
export function checkContent(contract: Contract, event: HttpEvent, body: unknown): Content {
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

function requireObject(parsed: unknown): object {
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
