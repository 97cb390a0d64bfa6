import { errorKinds } from '#schemas/errors.ts';
import type { Operation, Response } from './document.ts';

/** An operation whose responses are not replaced by references yet. */
export type UnsharedOperation = Omit<Operation, 'responses'> & {
  readonly responses: Readonly<Record<string, Response>>;
};

/** Responses that several operations share, by status. */
export type SharedResponses = ReadonlyMap<
  string,
  { readonly name: string; readonly response: Response }
>;

/**
 * Finds the most common response for each error status that at least two operations have. Sharing
 * these halves the size of the document.
 */
export function findSharedResponses(operations: readonly UnsharedOperation[]): SharedResponses {
  const shared = names.flatMap(([status, name]) => {
    const responses = operations.flatMap((operation) => operation.responses[status] ?? []);
    const groups = [...Map.groupBy(responses, (response) => JSON.stringify(response)).values()];
    const [response, ...others] =
      groups.toSorted((one, other) => other.length - one.length)[0] ?? [];

    return response && others.length > 0 ? [[status, { name, response }] as const] : [];
  });

  return new Map(shared);
}

/** `[404, 'NotFound']`, … */
const names = [
  ...new Map(
    Object.values(errorKinds).map(({ statusCode, error }) => [
      String(statusCode),
      error.replaceAll(' ', ''),
    ]),
  ),
];

/** Replaces an operation's shared responses with references. */
export function withSharedResponses(
  operation: UnsharedOperation,
  shared: SharedResponses,
): Operation {
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const candidate = shared.get(status);
    const isShared = candidate && JSON.stringify(candidate.response) === JSON.stringify(response);

    return [
      status,
      isShared ? { $ref: `#/components/responses/${candidate.name}` } : response,
    ] as const;
  });

  return { ...operation, responses: Object.fromEntries(responses) };
}
