import { timestamp } from '#lib/platform/clock.ts';
import type { Condition } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { type Attributes, change, count, create, type Write } from '#lib/platform/db/write.ts';
import { timeOfId } from '#lib/platform/ids.ts';
import type { LedgerType } from '#schemas/billing.ts';
import { openBalance } from './balance.ts';

export type CardUsed = { readonly id: string; readonly brand: string; readonly last4: string };

/**
 * A movement of credits. The id is the one of the business event that it stands for (a purchase, a
 * refill, a reply), so that a second entry for the same event is refused; it says when that was.
 */
export type LedgerEntry = {
  readonly id: string;
  readonly type: LedgerType;
  /** Negative where credits were used. */
  readonly credits: number;
  /** The money that moved, in cents. */
  readonly amountCents?: number;
  readonly description: string;
  readonly createdAt: string;
  readonly paymentMethod?: CardUsed;
  /** What it was made for: a payment or an invoice at the provider, a reply. */
  readonly reference?: string;
};

/** The event stands in the ledger already: nothing is to be done. */
export class AlreadyInLedger extends Error {
  constructor(type: LedgerType) {
    super(`This ${type} stands in the ledger already`);
    this.name = 'AlreadyInLedger';
  }
}

/** The organization has no balance: it is gone, or its billing was never set up. */
export class BalanceMissing extends Error {
  constructor() {
    super('There is no balance to change');
    this.name = 'BalanceMissing';
  }
}

export type BalanceChange = {
  readonly set?: Attributes;
  readonly add?: Readonly<Record<string, number>>;
  readonly when?: Condition;
};

/**
 * An entry that gives credits, with all that changes with it, for one transaction. When credits run
 * low after it, that is told anew.
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

/** An entry, the balance and the figures of its day, which change together or not at all. */
export function planEntry(
  organizationId: string,
  entry: Omit<LedgerEntry, 'createdAt'>,
  { set, add, when }: BalanceChange,
): readonly Write[] {
  const { type, credits } = entry;

  return [
    createEntry(organizationId, entry),
    change(keys.balance(organizationId), {
      set: { ...set, updatedAt: timestamp() },
      add: { ...add, credits, [`entries_${type}`]: 1 },
      ...(when ? { when } : {}),
      refused: () => new BalanceMissing(),
    }),
    countOnItsDay(organizationId, entry),
  ];
}

/** The balance of a new billing account, with what it begins with. */
export function planOpening(organizationId: string, welcomeCredits: number): readonly Write[] {
  if (welcomeCredits === 0) {
    return [openBalance(organizationId, 0, {})];
  }
  const entry = {
    id: organizationId,
    type: 'welcome_credit',
    credits: welcomeCredits,
    description: 'Welcome credits',
  } as const;

  return [
    openBalance(organizationId, welcomeCredits, { entries_welcome_credit: 1 }),
    createEntry(organizationId, entry),
    countOnItsDay(organizationId, entry),
  ];
}

function createEntry(organizationId: string, entry: Omit<LedgerEntry, 'createdAt'>): Write {
  const { id, type } = entry;
  const createdAt = new Date(timeOfId(id)).toISOString();

  return create(
    keys.ledgerEntry(organizationId, type, id),
    { ...entry, createdAt },
    () => new AlreadyInLedger(type),
  );
}

/** A day is that of the event, in UTC: the same as the entry's place in every list. */
function countOnItsDay(
  organizationId: string,
  { id, type, credits }: Omit<LedgerEntry, 'createdAt'>,
): Write {
  const date = new Date(timeOfId(id)).toISOString().slice(0, 10);

  return count(keys.usageDay(organizationId, date), {
    [`entries_${type}`]: 1,
    [`credits_${type}`]: credits,
  });
}
