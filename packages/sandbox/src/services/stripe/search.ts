import { listCharges } from './charges.ts';
import { writeCustomer } from './customers.ts';
import { StripeError } from './errors.ts';
import { writeInvoice } from './invoices.ts';
import { integer, text } from './params.ts';
import { writePaymentIntent } from './payment-intents.ts';
import { writePrice } from './prices.ts';
import { type StripeObject, type StripeRoute, stripeRoute } from './route.ts';
import type { StripeStore } from './store.ts';
import { writeSubscription } from './subscriptions.ts';

/**
 * Searches find a part of a text (`~`), a range of a number, and only the whole value of a token.
 */
type FieldType = 'text' | 'token' | 'number' | 'metadata';

type Searchable = {
  readonly fields: Readonly<Record<string, FieldType>>;
  readonly all: (store: StripeStore) => readonly StripeObject[];
};

const searchables: Readonly<Record<string, Searchable>> = {
  customers: {
    fields: { created: 'number', email: 'text', metadata: 'metadata', name: 'text', phone: 'text' },
    all: ({ customers }) =>
      [...customers.values()].filter(({ deleted }) => !deleted).map(writeCustomer),
  },
  payment_intents: {
    fields: {
      amount: 'number',
      created: 'number',
      currency: 'token',
      customer: 'token',
      metadata: 'metadata',
      status: 'token',
    },
    all: ({ paymentIntents }) => [...paymentIntents.values()].map(writePaymentIntent),
  },
  charges: {
    fields: {
      amount: 'number',
      created: 'number',
      currency: 'token',
      customer: 'token',
      disputed: 'token',
      metadata: 'metadata',
      refunded: 'token',
      status: 'token',
    },
    all: listCharges,
  },
  invoices: {
    fields: {
      created: 'number',
      currency: 'token',
      customer: 'token',
      metadata: 'metadata',
      number: 'text',
      receipt_number: 'text',
      status: 'token',
      subscription: 'token',
      total: 'number',
    },
    all: ({ invoices }) => [...invoices.values()].map(writeInvoice),
  },
  subscriptions: {
    fields: { canceled_at: 'number', created: 'number', metadata: 'metadata', status: 'token' },
    all: ({ subscriptions }) => [...subscriptions.values()].map(writeSubscription),
  },
  prices: {
    fields: {
      active: 'token',
      currency: 'token',
      lookup_key: 'token',
      metadata: 'metadata',
      product: 'token',
      type: 'token',
    },
    all: ({ prices }) => [...prices.values()].map(writePrice),
  },
};

/**
 * `GET /v1/<resource>/search`. These routes must precede those that have an id in the same place.
 */
export const searchRoutes: readonly StripeRoute[] = Object.entries(searchables).map(
  ([resource, searchable]) => {
    const path = `/v1/${resource}/search`;

    return stripeRoute({
      method: 'GET',
      path,
      params: { query: text(), limit: integer(1, 100), page: text() },
      required: ['query'],
      run: (store, { query = '', limit = 10, page }) => {
        const isMatch = parseQuery(query, searchable.fields);
        const found = searchable.all(store).filter(isMatch).toReversed();
        const from = page === undefined ? 0 : positionOf(page);
        const hasMore = found.length > from + limit;

        return {
          object: 'search_result',
          url: path,
          has_more: hasMore,
          data: found.slice(from, from + limit),
          next_page: hasMore ? Buffer.from(String(from + limit)).toString('base64url') : null,
        };
      },
    });
  },
);

function positionOf(page: string): number {
  const position = Buffer.from(page, 'base64url').toString();

  return /^\d+$/.test(position) ? Number(position) : rejectQuery('Invalid page', 'page');
}

type Match = (object: StripeObject) => boolean;

const maximumClauses = 10;
const minimumPart = 3;
const clause =
  /\s*(-)?([a-z_]+)(?:\[(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\])?\s*(>=|<=|[:~><=])\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(-?\d+|null))\s*/iy;
const connective = /(AND|OR)\b/iy;

/** Parses a query: clauses that are all connected by AND, or all by OR. */
function parseQuery(query: string, fields: Searchable['fields']): Match {
  const matches: Match[] = [];
  let joined: string | undefined;
  let position = 0;
  for (;;) {
    clause.lastIndex = position;
    const found = clause.exec(query);
    if (found === null) {
      return rejectQuery(`Could not parse the query at character ${position}`);
    }
    matches.push(matchOf(found, fields));
    position = clause.lastIndex;
    if (position === query.length) {
      break;
    }
    connective.lastIndex = position;
    const word = connective.exec(query)?.[1]?.toUpperCase();
    if (word === undefined || (joined !== undefined && word !== joined)) {
      return rejectQuery(
        word === undefined
          ? `Could not parse the query at character ${position}`
          : 'AND and OR cannot be combined',
      );
    }
    joined = word;
    position = connective.lastIndex;
  }
  if (matches.length > maximumClauses) {
    rejectQuery(`A query can have up to ${maximumClauses} clauses`);
  }

  return joined === 'OR'
    ? (object) => matches.some((match) => match(object))
    : (object) => matches.every((match) => match(object));
}

function matchOf(found: RegExpExecArray, fields: Searchable['fields']): Match {
  const [, minus, field = '', doubleKey, singleKey, operator = ':', ...values] = found;
  const key = unescaped(doubleKey ?? singleKey);
  const [doubleQuoted, singleQuoted, bare] = values;
  const value = unescaped(doubleQuoted ?? singleQuoted) ?? bare ?? '';
  const type = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (type === undefined || (type === 'metadata') !== (key !== undefined)) {
    return rejectQuery(`Field \`${field}\` is an unsupported search field`);
  }
  const test = testOf(type, operator, value, bare?.toLowerCase() === 'null');
  const isMatch: Match = (object) => {
    const stored = object[field];

    return test(key === undefined ? stored : (stored as StripeObject | undefined)?.[key]);
  };

  return minus === undefined ? isMatch : (object) => !isMatch(object);
}

function testOf(
  type: FieldType,
  operator: string,
  value: string,
  isNull: boolean,
): (stored: unknown) => boolean {
  if (isNull && operator === ':') {
    return (stored) => stored === null || stored === undefined;
  }
  if (type === 'number') {
    return numberTest(operator, Number(value));
  }
  const wanted = value.toLowerCase();
  if (operator === ':') {
    return (stored) => textOf(stored) === wanted;
  }
  if (operator !== '~' || type === 'token' || wanted.length < minimumPart) {
    return rejectQuery(`Operator \`${operator}\` is not supported for this field and value`);
  }

  return (stored) => textOf(stored)?.includes(wanted) ?? false;
}

function numberTest(operator: string, value: number): (stored: unknown) => boolean {
  const tests: Readonly<Record<string, (stored: number) => boolean>> = {
    ':': (stored) => stored === value,
    '=': (stored) => stored === value,
    '>': (stored) => stored > value,
    '>=': (stored) => stored >= value,
    '<': (stored) => stored < value,
    '<=': (stored) => stored <= value,
  };
  const test = tests[operator];
  if (test === undefined || Number.isNaN(value)) {
    return rejectQuery('A number field needs a number and one of the operators : > >= < <=');
  }

  return (stored) => typeof stored === 'number' && test(stored);
}

/** Text comparison ignores case. */
function textOf(stored: unknown): string | undefined {
  return stored === null || stored === undefined ? undefined : String(stored).toLowerCase();
}

function unescaped(value: string | undefined): string | undefined {
  return value?.replaceAll(/\\(.)/g, '$1');
}

function rejectQuery(message: string, param = 'query'): never {
  throw new StripeError(400, message, { param });
}
