import { invalidParam, StripeError } from './errors.ts';
import type { FormTree, FormValue } from './form.ts';

/** Parses one parameter. Throws if it is invalid. `name` is the full name, such as `a[b]`. */
type Rule<T> = (value: FormValue, name: string) => T;

/** The parameters of an API call. */
export type Shape = Readonly<Record<string, Rule<unknown>>>;

export type Params<S extends Shape> = {
  readonly [K in keyof S]?: S[K] extends Rule<infer T> ? T : never;
};

/** `null` unsets a value. */
type MetadataChange = Readonly<Record<string, string | null>> | null;

export type TimeRange = {
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
};

const maximumText = 5_000;
const maximumMetadataKeys = 50;
const maximumMetadataKey = 40;
const maximumMetadataValue = 500;
const emailPattern = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/;

/** Parses all parameters of a call. Unknown parameters are rejected, as Stripe does. */
export function readParams<S extends Shape>(shape: S, tree: FormTree): Params<S> {
  return readShape(shape, tree, '');
}

export function text(maximum = maximumText): Rule<string> {
  return (value, name) => {
    if (typeof value !== 'string') {
      throw invalidParam('Invalid string: an object', 'parameter_invalid_string', name);
    }

    if (value.length > maximum) {
      throw invalidParam(
        `Invalid string: ${value.slice(0, 20)}...; must be at most ${maximum} characters`,
        'parameter_invalid_string',
        name,
      );
    }

    return value;
  };
}

/** Text. An empty value unsets it. */
export function clearableText(maximum = maximumText): Rule<string | null> {
  const rule = text(maximum);

  return (value, name) => rule(value, name) || null;
}

/** An id. It can't be unset. */
export const identifier: Rule<string> = (value, name) => {
  const id = text()(value, name);

  if (id === '') {
    throw invalidParam(
      `You passed an empty string for '${name}'. We assume empty values are an attempt to unset a parameter; however '${name}' cannot be unset. You should remove '${name}' from your request or supply a non-empty value.`,
      'parameter_invalid_empty',
      name,
    );
  }

  return id;
};

export const email: Rule<string | null> = (value, name) => {
  const address = text(512)(value, name);

  if (address !== '' && !emailPattern.test(address)) {
    throw invalidParam(`Invalid email address: ${address}`, 'email_invalid', name);
  }

  return address || null;
};

export const flag: Rule<boolean> = (value, name) => {
  if (value !== 'true' && value !== 'false') {
    throw invalidParam(`Invalid boolean: ${show(value)}`, 'parameter_invalid_boolean', name);
  }

  return value === 'true';
};

/** An integer from `minimum` to `maximum`. */
export function integer(minimum: number, maximum: number): Rule<number> {
  return (value, name) => {
    if (typeof value !== 'string' || !/^-?\d+$/.test(value)) {
      throw invalidParam(`Invalid integer: ${show(value)}`, 'parameter_invalid_integer', name);
    }

    const number = Number(value);

    if (number < minimum || number > maximum) {
      const bound =
        number < minimum
          ? `greater than or equal to ${minimum}`
          : `less than or equal to ${maximum}`;

      throw invalidParam(
        `This value must be ${bound} (it currently is '${value}').`,
        'parameter_invalid_integer',
        name,
      );
    }

    return number;
  };
}

/** One of the given words. */
export function choice<T extends string>(...words: readonly T[]): Rule<T> {
  return (value, name) => {
    const word = words.find((one) => one === value);

    if (word === undefined) {
      throw new StripeError(
        400,
        `Invalid ${name}: must be one of ${words.slice(0, -1).join(', ')}, or ${words.at(-1)}`,
        { param: name },
      );
    }

    return word;
  };
}

/** A list, passed as `name[]` or `name[0]`. */
export function list<T>(rule: Rule<T>): Rule<readonly T[]> {
  return (value, name) => {
    if (typeof value === 'string') {
      if (value === '') {
        return [];
      }

      throw invalidParam('Invalid array', 'parameter_invalid_array', name);
    }

    return Object.entries(value).map(([index, one]) => rule(one, `${name}[${index}]`));
  };
}

/** Nested parameters under one name. */
export function object<S extends Shape>(shape: S): Rule<Params<S>> {
  return (value, name) => {
    if (typeof value === 'string') {
      throw invalidParam('Invalid object', 'parameter_invalid_object', name);
    }

    return readShape(shape, value, name);
  };
}

/** Nested parameters under one name. An empty value unsets all of them. */
export function clearableObject<S extends Shape>(shape: S): Rule<Params<S> | null> {
  const rule = object(shape);

  return (value, name) => (value === '' ? null : rule(value, name));
}

export const metadata: Rule<MetadataChange> = (value, name) => {
  if (typeof value === 'string') {
    if (value === '') {
      return null;
    }

    throw invalidParam('Invalid object', 'parameter_invalid_object', name);
  }

  const entries = Object.entries(value).map(([key, one]): [string, string | null] => [
    checkMetadataKey(key, name),
    text(maximumMetadataValue)(one, `${name}[${key}]`) || null,
  ]);

  if (entries.length > maximumMetadataKeys) {
    throw invalidParam(
      `You can have up to ${maximumMetadataKeys} metadata keys.`,
      'parameter_invalid',
      name,
    );
  }

  return Object.fromEntries(entries);
};

/** `created=1` or `created[gte]=1`. */
export const timeRange: Rule<TimeRange> = (value, name) => {
  const seconds = integer(0, Number.MAX_SAFE_INTEGER);

  if (typeof value === 'string') {
    const moment = seconds(value, name);

    return { gte: moment, lte: moment };
  }

  return readShape({ gt: seconds, gte: seconds, lt: seconds, lte: seconds }, value, name);
};

/** A Stripe parameter that the sandbox does not support. It is rejected instead of ignored. */
export const notModelled: Rule<undefined> = (_value, name) => {
  throw new StripeError(400, `The sandbox does not support the parameter ${name}`, { param: name });
};

/** Applies a metadata change to the stored metadata. */
export function changeMetadata(
  before: Readonly<Record<string, string>>,
  change: MetadataChange | undefined,
): Readonly<Record<string, string>> {
  if (change === null) {
    return {};
  }

  return Object.fromEntries(
    Object.entries({ ...before, ...change }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    ),
  );
}

function readShape<S extends Shape>(shape: S, tree: FormTree, prefix: string): Params<S> {
  const fullName = (name: string): string => (prefix === '' ? name : `${prefix}[${name}]`);
  const unknown = Object.keys(tree).filter((name) => !Object.hasOwn(shape, name));
  const [first] = unknown;

  if (first !== undefined) {
    const names = unknown.map(fullName).join(', ');

    throw invalidParam(
      `Received unknown parameter${unknown.length > 1 ? 's' : ''}: ${names}`,
      'parameter_unknown',
      fullName(first),
    );
  }

  const values = Object.entries(tree).map(([name, value]) => [
    name,
    shape[name]?.(value, fullName(name)),
  ]);

  return Object.fromEntries(values) as Params<S>;
}

function checkMetadataKey(key: string, name: string): string {
  if (key.length > maximumMetadataKey) {
    throw invalidParam(
      `Metadata keys can have up to ${maximumMetadataKey} characters: ${key}`,
      'parameter_invalid',
      name,
    );
  }

  return key;
}

function show(value: FormValue): string {
  return typeof value === 'string' ? value : 'an object';
}
