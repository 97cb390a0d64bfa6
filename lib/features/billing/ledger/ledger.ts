import { timestamp } from '#lib/platform/clock.ts';
import type { Amounts } from '#lib/platform/db/amounts.ts';
import { absent, type Condition, either, equals } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError, type StoredItem } from '#lib/platform/db/failures.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  type Attributes,
  change,
  count,
  create,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { idOfEvent, timeOfId } from '#lib/platform/ids.ts';
import type { LedgerType } from '#schemas/billing.ts';
import { clearedMarks, planBalance } from './balance.ts';

export type CardUsed = { readonly id: string; readonly brand: string; readonly last4: string };

/**
 * A credit movement. Its id is the id of the business event (purchase, refill, reply), so a second
 * entry for the same event is rejected. The id also encodes when the event occurred.
 */
export type LedgerEntry = {
  readonly id: string;
  readonly type: LedgerType;
  /** Negative for usage. */
  readonly credits: number;
  readonly amountCents?: number;
  readonly description: string;
  readonly createdAt: string;
  readonly paymentMethod?: CardUsed;
  /** The id of the payment or invoice at the provider, or of the reply. */
  readonly reference?: string;
  /** True for credits that a refund or dispute moved, and for repayments of the resulting debt. */
  readonly isReversal?: boolean;
};

export type NewEntry = Omit<LedgerEntry, 'createdAt'>;

/** The event is already in the ledger, so there is nothing to do. */
export class AlreadyInLedgerError extends Error {
  constructor(type: LedgerType) {
    super(`This ${type} stands in the ledger already`);
    this.name = 'AlreadyInLedgerError';
  }
}

/** The organization has no balance: it was deleted, or its billing was never set up. */
export class BalanceMissingError extends Error {
  constructor() {
    super('There is no balance to change');
    this.name = 'BalanceMissingError';
  }
}

/** Thrown if the debt, or the credits that can repay it, differ from what the write assumed. */
export class DebtChangedError extends ConditionNotMetError {
  readonly debt: number;

  constructor(stored: StoredItem) {
    super(stored, stored);
    this.name = 'DebtChangedError';
    this.debt = Number(stored.debt ?? 0);
  }
}

export type BalanceChange = {
  readonly set?: Attributes;
  readonly add?: Amounts;
  readonly when?: Condition;
  /** Replaces the error for a failed condition, if the balance exists. */
  readonly onConditionFailed?: (stored: StoredItem) => Error;
};

/** The condition that the debt has not changed since it was read. */
export function owes(debt: number): Condition {
  return debt === 0 ? either(absent('debt'), equals('debt', 0)) : equals('debt', debt);
}

/**
 * Adds credits and updates the balance, in one transaction. Debt is repaid first, so the write
 * fails unless `debt` is the current debt. Use `addCredits` if there may be a debt. Resets the
 * low-credit notifications, so that they are sent again when credits next run low.
 */
export function planCredit(
  organizationId: string,
  entry: NewEntry,
  { add, set, ...others }: BalanceChange = {},
  debt = 0,
): readonly Write[] {
  const repaid = Math.min(debt, entry.credits);

  return planEntries(organizationId, [entry, ...(repaid > 0 ? [repaymentBy(entry, repaid)] : [])], {
    ...others,
    add: { available: entry.credits, ...add },
    set: {
      ...clearedMarks,
      ...(debt > 0 ? { debt: debt - repaid || null } : {}),
      ...set,
    },
    when: owes(debt),
    onConditionFailed: (stored) => new DebtChangedError(stored),
  });
}

/** Adds credits together with the other writes. Repays debt with them first. */
export async function addCredits(
  organizationId: string,
  entry: NewEntry,
  change: BalanceChange = {},
  others: readonly Write[] = [],
): Promise<void> {
  let debt = 0;
  await retryWhenOvertaken('balance', async () => {
    try {
      await write(...others, ...planCredit(organizationId, entry, change, debt));
    } catch (failure) {
      debt = failure instanceof DebtChangedError ? failure.debt : debt;
      throw failure;
    }
  });
}

/**
 * The repayment has its credit's day and an id that is derived from it, so it is written only once.
 */
function repaymentBy({ id, reference }: NewEntry, repaid: number): NewEntry {
  return {
    id: idOfEvent(`repayment by ${id}`, timeOfId(id)),
    type: 'adjustment',
    credits: -repaid,
    description: 'Repayment of debt',
    isReversal: true,
    ...(reference ? { reference } : {}),
  };
}

/** Writes an entry and updates the balance and daily usage atomically. */
export function planEntry(
  organizationId: string,
  entry: NewEntry,
  change: BalanceChange,
): readonly Write[] {
  return planEntries(organizationId, [entry], change);
}

/** Writes entries of the same day and updates the balance and daily usage atomically. */
function planEntries(
  organizationId: string,
  entries: readonly NewEntry[],
  { set, add = {}, when, onConditionFailed }: BalanceChange,
): readonly Write[] {
  const sums = sumOf(
    add,
    ...entries.map(({ type, credits }) => ({ credits, [`entries_${type}`]: 1 })),
  );

  return [
    ...entries.map((entry) => planEntryItem(organizationId, entry)),
    change(billingKeys.balance(organizationId), {
      set: { ...set, updatedAt: timestamp() },
      add: sums,
      ...(when ? { when } : {}),
      onConditionFailed: (stored) =>
        stored && onConditionFailed ? onConditionFailed(stored) : new BalanceMissingError(),
    }),
    ...planDailyUsage(organizationId, entries),
  ];
}

function sumOf(...amounts: readonly Amounts[]): Amounts {
  const sums: Record<string, number> = {};
  for (const [name, amount] of amounts.flatMap((one) => Object.entries(one))) {
    sums[name] = (sums[name] ?? 0) + amount;
  }

  return sums;
}

/** Creates an organization's balance, with its first credits if there are any. */
export function planOpening(organizationId: string, entry: NewEntry): readonly Write[] {
  const { type, credits } = entry;
  if (credits === 0) {
    return [planBalance(organizationId, 0, {})];
  }

  return [
    planBalance(organizationId, credits, { [`entries_${type}`]: 1 }),
    planEntryItem(organizationId, entry),
    ...planDailyUsage(organizationId, [entry]),
  ];
}

function planEntryItem(organizationId: string, entry: NewEntry): Write {
  const { id, type } = entry;
  const createdAt = new Date(timeOfId(id)).toISOString();

  return create(
    billingKeys.ledgerEntry(organizationId, type, id),
    { ...entry, createdAt },
    () => new AlreadyInLedgerError(type),
  );
}

/** The day is the UTC day of the event, so that it matches the entry's position in lists. */
function planDailyUsage(organizationId: string, entries: readonly NewEntry[]): readonly Write[] {
  const [first] = entries;
  if (!first) {
    return [];
  }
  const date = new Date(timeOfId(first.id)).toISOString().slice(0, 10);
  const amounts = entries.map(({ type, credits }) => ({
    [`entries_${type}`]: 1,
    [`credits_${type}`]: credits,
  }));

  return [count(billingKeys.usageDay(organizationId, date), sumOf(...amounts))];
}
