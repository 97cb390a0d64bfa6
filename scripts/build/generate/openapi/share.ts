import { isDeepStrictEqual } from 'node:util';
import type { Operation, Parameter, PathItem, Reference, Response } from './document.ts';

/** The components that replace repeated parameters and responses, named by parameter and status. */
export type Shared = {
  readonly parameters: Names;
  readonly responses: Names;
};

/** Component names by the JSON of their content. */
type Names = ReadonlyMap<string, string>;

/** One use of an object that several operations may share. */
type Use = { readonly name: string; readonly value: unknown };

/** Finds the parameters and responses that at least two operations share. */
export function findShared(operations: readonly Operation[]): Shared {
  return {
    parameters: nameRepeated(operations.flatMap(parameterUses)),
    responses: nameRepeated(operations.flatMap(responseUses)),
  };
}

/** The content of the named components. */
export function componentsOf<Value>(names: Names): Readonly<Record<string, Value>> {
  return Object.fromEntries([...names].map(([json, name]) => [name, JSON.parse(json) as Value]));
}

/** Replaces an operation's shared parameters and responses with references. */
export function withReferences(operation: Operation, shared: Shared): Operation {
  const { parameters, responses } = operation;
  const parameterOrReference = (parameter: Parameter | Reference) =>
    reference(shared.parameters, 'parameters', parameter) ?? parameter;
  const responseOrReference = (response: Response | Reference) =>
    reference(shared.responses, 'responses', response) ?? response;

  return {
    ...operation,
    ...(parameters && { parameters: parameters.map(parameterOrReference) }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, one]) => [status, responseOrReference(one)]),
    ),
  };
}

function reference(names: Names, section: string, value: unknown): Reference | undefined {
  const name = names.get(JSON.stringify(value));

  return name === undefined ? undefined : { $ref: `#/components/${section}/${name}` };
}

/** Lists the parameters that all operations of a path accept once for the path. */
export function pathItemOf(operations: Readonly<Record<string, Operation>>): PathItem {
  const [first, ...rest] = Object.values(operations);
  const isCommon = (parameter: object) =>
    rest.every(({ parameters = [] }) =>
      parameters.some((one) => isDeepStrictEqual(one, parameter)),
    );
  const common = rest.length > 0 ? (first?.parameters ?? []).filter(isCommon) : [];
  if (common.length === 0) {
    return operations;
  }
  const withOwn = Object.entries(operations).map(([method, operation]) => {
    const { parameters = [], ...others } = operation;
    const own = parameters.filter((one) => !common.some((other) => isDeepStrictEqual(one, other)));

    return [method, own.length > 0 ? { ...operation, parameters: own } : others];
  });

  return { parameters: common, ...Object.fromEntries(withOwn) };
}

/** The most frequent variant gets the plain name, and the others get a number. */
function nameRepeated(uses: readonly Use[]): Names {
  const groups = [...Map.groupBy(uses, ({ value }) => JSON.stringify(value))]
    .filter(([, group]) => group.length > 1)
    .toSorted(([, one], [, other]) => other.length - one.length);
  const taken = new Map<string, number>();
  const named = groups.flatMap(([json, [first]]) => {
    if (!first) {
      return [];
    }
    const number = (taken.get(first.name) ?? 0) + 1;
    taken.set(first.name, number);

    return [[json, number === 1 ? first.name : `${first.name}-${number}`] as const];
  });

  return new Map(named.toSorted(([, one], [, other]) => (one < other ? -1 : 1)));
}

function parameterUses({ parameters = [] }: Operation): readonly Use[] {
  return parameters.flatMap((value) => ('name' in value ? [{ name: value.name, value }] : []));
}

function responseUses({ responses }: Operation): readonly Use[] {
  return Object.entries(responses).map(([status, value]) => ({ name: status, value }));
}
