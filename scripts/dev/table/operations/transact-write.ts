import { hash } from 'node:crypto';
import type { Costs } from '../costs.ts';
import { itemSize } from '../item-size.ts';
import { type Answered, type ItemChange, requireTable, type Store } from '../operation.ts';
import { requireParameters } from '../parameters.ts';
import { invalid, TableError } from '../table-error.ts';
import {
  failedCost,
  type KeyFields,
  type PreparedWrite,
  type PutFields,
  prepareCheck,
  prepareDelete,
  preparePut,
  prepareUpdate,
  repeatedCost,
  type UpdateFields,
  writeCost,
} from './prepare-write.ts';
import { requireDistinct } from './require-distinct.ts';

type TransactItem = {
  readonly ConditionCheck?: KeyFields;
  readonly Put?: PutFields;
  readonly Update?: UpdateFields;
  readonly Delete?: KeyFields;
};

export type TransactRequest = {
  readonly TransactItems: readonly TransactItem[];
  readonly ClientRequestToken?: string;
};

type Reason = { readonly Code: string; readonly Message?: string; readonly Item?: unknown };

type Outcome = { readonly change?: ItemChange; readonly reason: Reason };

const maxItems = 100;
const maxBytes = 4 * 1_024 * 1_024;
const maxTokenLength = 36;
const fulfilled: Reason = { Code: 'None' };

/** Executes transactions. Each token works once. */
export type Transactions = (store: Store, request: TransactRequest) => Answered;

/** `now` returns milliseconds. */
export function createTransactions(now: () => number): Transactions {
  const tokens = createTokens(now);

  return (store, request) => {
    const writes = prepareAll(store, request);
    const { ClientRequestToken: token } = request;
    if (token !== undefined && tokens.isRepeated(token, request.TransactItems)) {
      return { output: {}, costs: () => writes.map(repeatedCost) };
    }
    const changes = planAll(writes);
    requireSize(changes);
    store.commit(changes);
    if (token !== undefined) {
      tokens.keep(token, request.TransactItems);
    }

    return { output: {}, costs: () => changes.map((change) => writeCost(change, 2)) };
  };
}

function prepareAll(store: Store, request: TransactRequest): readonly PreparedWrite[] {
  const { TransactItems: items, ClientRequestToken: token = '' } = request;
  if (items.length === 0 || items.length > maxItems) {
    throw invalid(
      `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length between 1 and ${maxItems}`,
    );
  }
  if (token.length > maxTokenLength) {
    throw invalid(
      `1 validation error detected: Value '${token}' at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal to ${maxTokenLength}`,
    );
  }
  const writes = items.map((item) => prepareOne(store, item));
  requireDistinct(writes, 'Transaction request cannot include multiple operations on one item');

  return writes;
}

const preparations = {
  ConditionCheck: prepareCheck,
  Put: preparePut,
  Update: prepareUpdate,
  Delete: prepareDelete,
} as const;

function prepareOne(store: Store, item: TransactItem): PreparedWrite {
  requireParameters('entry of a TransactWriteItems', item);
  const [action, ...others] = (Object.keys(preparations) as (keyof typeof preparations)[]).filter(
    (name) => item[name],
  );
  if (!action || others.length > 0) {
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  }
  const fields = item[action];
  requireParameters(action, fields);
  const table = requireTable(store, String(fields.TableName));

  return preparations[action](table, fields as never);
}

/** Returns the changes. If one is impossible, throws with a reason for each write. */
function planAll(writes: readonly PreparedWrite[]): readonly ItemChange[] {
  const outcomes = writes.map(planOne);
  const changes = outcomes.flatMap(({ change }) => change ?? []);
  if (changes.length < outcomes.length) {
    throw canceled(
      outcomes.map(({ reason }) => reason),
      () => writes.map((write) => failedCost(write, 2)),
    );
  }

  return changes;
}

function planOne({ plan }: PreparedWrite): Outcome {
  try {
    return { change: plan(), reason: fulfilled };
  } catch (error) {
    if (!(error instanceof TableError)) {
      throw error;
    }
    const Code =
      error.name === 'ConditionalCheckFailedException'
        ? 'ConditionalCheckFailed'
        : 'ValidationError';

    return { reason: { Code, Message: error.message, ...error.details } };
  }
}

function canceled(reasons: readonly Reason[], costs: Costs): TableError {
  const codes = reasons.map(({ Code }) => Code).join(', ');

  return new TableError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
    costs,
  );
}

function requireSize(changes: readonly ItemChange[]): void {
  const bytes = changes.reduce((sum, { before, after }) => sum + itemSize(after ?? before), 0);
  if (bytes > maxBytes) {
    throw invalid(`Transaction payload size cannot exceed 4MB. Payload Size: ${bytes}`);
  }
}

const tokenLifeMs = 10 * 60 * 1_000;

function createTokens(now: () => number) {
  const known = new Map<string, { readonly fingerprint: string; readonly atMs: number }>();

  return {
    /** Throws if the token was used for another request. */
    isRepeated: (token: string, items: unknown): boolean => {
      const first = known.get(token);
      if (!first || now() - first.atMs > tokenLifeMs) {
        return false;
      }
      if (fingerprintOf(items) !== first.fingerprint) {
        throw new TableError(
          'IdempotentParameterMismatchException',
          'The request uses the same client token as a previous, but non-identical request.',
        );
      }

      return true;
    },
    keep: (token: string, items: unknown): void => {
      const atMs = now();
      known.delete(token);
      known.set(token, { fingerprint: fingerprintOf(items), atMs });
      // The oldest tokens come first.
      for (const [old, entry] of known) {
        if (atMs - entry.atMs <= tokenLifeMs) {
          break;
        }
        known.delete(old);
      }
    },
  };
}

function fingerprintOf(items: unknown): string {
  return hash('sha1', JSON.stringify(items), 'base64');
}
