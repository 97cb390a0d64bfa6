import { errorKinds } from '#schemas/errors.ts';
import type { Operation, Response } from './document.ts';

/** An operation whose responses have not been shared yet. */
export type UnsharedOperation = Omit<Operation, 'responses'> & {
  readonly responses: Readonly<Record<string, Response>>;
};

/** A response that several operations refer to, by the status it stands for. */
export type SharedResponses = ReadonlyMap<
  string,
  { readonly name: string; readonly response: Response }
>;

/**
 * Of every status of a refusal the response that most operations have, where at least two have it.
 * Written once, it makes the document half as long.
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

/** The operation with references to the responses that it shares with others. */
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
