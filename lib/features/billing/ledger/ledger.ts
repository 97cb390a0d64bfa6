import { timestamp } from '#lib/platform/clock.ts';
import type { Condition } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { type Attributes, change, count, create, type Write } from '#lib/platform/db/write.ts';
import { timeOfId } from '#lib/platform/ids.ts';
import type { LedgerType } from '#schemas/billing.ts';
import { planBalance } from './balance.ts';

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
};

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

export type BalanceChange = {
  readonly set?: Attributes;
  readonly add?: Readonly<Record<string, number>>;
  readonly when?: Condition;
};

/**
 * Adds credits and updates the balance, in one transaction. Resets the low-credit notifications, so
 * that they are sent again when credits next run low.
 */
export function planCredit(
  organizationId: string,
  entry: Omit<LedgerEntry, 'createdAt'>,
  change: BalanceChange = {},
): readonly Write[] {
  const add = { available: entry.credits, ...change.add };
  const set = { lowToldAt: null, exhaustedToldAt: null, ...change.set };

  return planEntry(organizationId, entry, { ...change, add, set });
}

/** Writes an entry and updates the balance and daily usage atomically. */
export function planEntry(
  organizationId: string,
  entry: Omit<LedgerEntry, 'createdAt'>,
  { set, add, when }: BalanceChange,
): readonly Write[] {
  const { type, credits } = entry;

  return [
    planEntryItem(organizationId, entry),
    change(keys.balance(organizationId), {
      set: { ...set, updatedAt: timestamp() },
      add: { ...add, credits, [`entries_${type}`]: 1 },
      ...(when ? { when } : {}),
      refused: () => new BalanceMissingError(),
    }),
    planDailyUsage(organizationId, entry),
  ];
}

/** Creates the opening balance of a new billing account, with its welcome credits. */
export function planOpening(organizationId: string, welcomeCredits: number): readonly Write[] {
  if (welcomeCredits === 0) {
    return [planBalance(organizationId, 0, {})];
  }
  const entry = {
    id: organizationId,
    type: 'welcome_credit',
    credits: welcomeCredits,
    description: 'Welcome credits',
  } as const;

  return [
    planBalance(organizationId, welcomeCredits, { entries_welcome_credit: 1 }),
    planEntryItem(organizationId, entry),
    planDailyUsage(organizationId, entry),
  ];
}

function planEntryItem(organizationId: string, entry: Omit<LedgerEntry, 'createdAt'>): Write {
  const { id, type } = entry;
  const createdAt = new Date(timeOfId(id)).toISOString();

  return create(
    keys.ledgerEntry(organizationId, type, id),
    { ...entry, createdAt },
    () => new AlreadyInLedgerError(type),
  );
}

/** The day is the UTC day of the event, so that it matches the entry's position in lists. */
function planDailyUsage(
  organizationId: string,
  { id, type, credits }: Omit<LedgerEntry, 'createdAt'>,
): Write {
  const date = new Date(timeOfId(id)).toISOString().slice(0, 10);

  return count(keys.usageDay(organizationId, date), {
    [`entries_${type}`]: 1,
    [`credits_${type}`]: credits,
  });
}
