import { noSuch, StripeError } from './errors.ts';
import type { FormTree } from './form.ts';
import { identifier, integer, list, type Params, readParams, type Shape, text } from './params.ts';
import type { StripeStore } from './store.ts';

/** An API object in Stripe's format. */
export type StripeObject = Readonly<Record<string, unknown>>;

/** Finds an object by its id, for `expand`. */
export type Lookup = (id: string) => StripeObject | undefined;

/** One API call. */
export type StripeRoute = {
  readonly method: string;
  readonly path: RegExp;
  /**
   * Validates the parameters and returns the work. An error thrown here rejects the request before
   * any work starts. An error thrown by the work is its outcome, which an idempotency key stores.
   */
  readonly prepare: (
    store: StripeStore,
    form: FormTree,
    ids: readonly string[],
    version: string,
  ) => { readonly run: () => StripeObject; readonly expand: readonly string[] };
};

const paths = list(text());

/** Declares an API call. `:id` in the path matches an id. */
export function stripeRoute<S extends Shape>(definition: {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly params: S;
  readonly required?: readonly (keyof S & string)[];
  /** Parameters that Stripe has rejected since an API version, with the error code. */
  readonly removed?: Readonly<Record<string, { readonly since: string; readonly code: string }>>;
  /** Set if Stripe has a special message for a missing parameter. */
  readonly missingMessage?: string;
  readonly run: (
    store: StripeStore,
    params: Params<S>,
    id: string,
    otherId: string,
  ) => StripeObject;
}): StripeRoute {
  const {
    method,
    path,
    params: shape,
    required = [],
    removed = {},
    missingMessage,
    run,
  } = definition;

  return {
    method,
    path: new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`),
    prepare: (store, form, [id = '', otherId = ''], version) => {
      const { expand, ...others } = form;
      rejectRemoved(removed, others, version);
      const params = readParams(shape, others);
      const missing = required.find((name) => !Object.hasOwn(form, name));

      if (missing !== undefined) {
        throw new StripeError(400, missingMessage ?? `Missing required param: ${missing}.`, {
          code: 'parameter_missing',
          ...(missingMessage === undefined ? { param: missing } : {}),
        });
      }

      return {
        run: () => run(store, params, id, otherId),
        expand: expand === undefined ? [] : paths(expand, 'expand'),
      };
    },
  };
}

/** An API version begins with its date. */
function rejectRemoved(
  removed: Readonly<Record<string, { readonly since: string; readonly code: string }>>,
  form: FormTree,
  version: string,
): void {
  for (const [param, { since, code }] of Object.entries(removed)) {
    if (Object.hasOwn(form, param) && version >= since) {
      throw new StripeError(400, `${param} is not supported since API version ${since}.`, {
        code,
        param,
      });
    }
  }
}

/** The parameters of every list. */
export const listParams = {
  limit: integer(1, 100),
  starting_after: identifier,
  ending_before: identifier,
};

type ListParams = {
  readonly limit?: number;
  readonly starting_after?: string;
  readonly ending_before?: string;
};

/** Returns one page of a list, newest first. */
export function pageOf<T extends { readonly id: string }>(
  things: readonly T[],
  params: ListParams,
  url: string,
  write: (thing: T) => StripeObject,
): StripeObject {
  const { limit = 10, starting_after: after, ending_before: before } = params;
  const newestFirst = things.toReversed();

  if (before !== undefined) {
    const earlier = newestFirst.slice(0, positionOf(newestFirst, before, 'ending_before'));

    return listObject(earlier.slice(-limit), earlier.length > limit, url, write);
  }

  const later =
    after === undefined
      ? newestFirst
      : newestFirst.slice(positionOf(newestFirst, after, 'starting_after') + 1);

  return listObject(later.slice(0, limit), later.length > limit, url, write);
}

function listObject<T>(
  things: readonly T[],
  hasMore: boolean,
  url: string,
  write: (thing: T) => StripeObject,
): StripeObject {
  return { object: 'list', data: things.map(write), has_more: hasMore, url };
}

function positionOf(things: readonly { readonly id: string }[], id: string, param: string): number {
  const position = things.findIndex((thing) => thing.id === id);

  if (position < 0) {
    throw noSuch('object', id, { param, inPath: false });
  }

  return position;
}

/** Replaces ids with objects for the `expand` parameter: `data.customer`, `payment_method`. */
export function expandAll(
  answer: StripeObject,
  paths: readonly string[],
  lookup: Lookup,
): StripeObject {
  return paths.reduce(
    (expanded, path) => expandPath(expanded, path.split('.'), path, lookup),
    answer,
  );
}

function expandPath(
  thing: StripeObject,
  [name = '', ...rest]: readonly string[],
  path: string,
  lookup: Lookup,
): StripeObject {
  if (!Object.hasOwn(thing, name)) {
    throw new StripeError(
      400,
      `This property cannot be expanded because it doesn't exist: ${path}.`,
    );
  }

  return { ...thing, [name]: expandValue(thing[name], rest, path, lookup) };
}

function expandValue(
  value: unknown,
  rest: readonly string[],
  path: string,
  lookup: Lookup,
): unknown {
  if (value === null) {
    return null;
  }

  if (Array.isArray(value)) {
    return value.map((one) => expandValue(one, rest, path, lookup));
  }

  const thing = typeof value === 'string' ? lookup(value) : value;

  if (typeof thing !== 'object' || thing === null || (rest.length === 0 && thing === value)) {
    throw new StripeError(400, `This property cannot be expanded (${path}).`);
  }

  return rest.length === 0 ? thing : expandPath(thing as StripeObject, rest, path, lookup);
}
