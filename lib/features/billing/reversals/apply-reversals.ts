import {
  type Addressee,
  planMailsToOwners,
} from '#lib/features/billing/customer/mails-to-owners.ts';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import { splitBetweenCreditsAndDebt } from '#lib/features/billing/ledger/debt.ts';
import { planEntry } from '#lib/features/billing/ledger/ledger.ts';
import { dollarsOf } from '#lib/features/billing/money.ts';
import { refillWhenLow } from '#lib/features/billing/refills/start-refill.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, create, type Write, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { logger } from '#lib/platform/log/logger.ts';
import {
  disputeClosedMail,
  disputeOpenedMail,
  type Mail,
  refundMail,
} from '#lib/platform/mail/mails.ts';
import { readReversals } from '#lib/vendors/stripe/reversals.ts';
import {
  creditsToReverse,
  describeReversal,
  type Grant,
  noReversal,
  type Reversal,
  reversalKey,
  reversedCents,
} from './reversal-record.ts';

/**
 * Moves credits so that exactly the reversed share of the payment is taken back, and notifies the
 * owners. Safe to call again, concurrently, and for events in any order.
 */
export async function applyReversals(grant: Grant): Promise<void> {
  if (await retryWhenOvertaken('balance', () => applyOnce(grant))) {
    await refillWhenLow(grant.organizationId);
  }
}

/**
 * Reads the records before the provider's state. If another write happens in between, the caller
 * starts over, so the last write always has the latest state.
 */
async function applyOnce(grant: Grant): Promise<boolean> {
  const { organizationId } = grant;
  const [stored, found] = await getMany<Reversal | Balance>([
    reversalKey(grant),
    billingKeys.balance(organizationId),
  ]);
  const balance = found as Balance | undefined;
  const before = { ...noReversal, ...(stored as Reversal | undefined) };
  if (!balance) {
    return false;
  }
  const state = await readReversals(grant.intentId);
  const after: Reversal = {
    ...state,
    organizationId,
    intentId: grant.intentId,
    reversedCredits: creditsToReverse(grant, state),
    version: before.version + 1,
  };
  if (isSame(before, after)) {
    return false;
  }
  if (after.isDisputed && !before.isDisputed) {
    logger.warn('A payment is disputed', { organizationId, intentId: grant.intentId });
  }
  await write(
    planRecord(grant, before, after),
    ...planMovement(grant, balance, before, after),
    ...(await planMails(balance, before, after)),
  );

  return true;
}

type Letter = (owner: Addressee) => Mail;

type Known = Omit<Reversal, 'organizationId' | 'intentId'>;

function isSame(before: Known, after: Known): boolean {
  return (
    before.refundedCents === after.refundedCents &&
    before.disputedCents === after.disputedCents &&
    before.isDisputed === after.isDisputed
  );
}

function planRecord(grant: Grant, { version }: Known, after: Reversal): Write {
  const key = reversalKey(grant);

  return version === 0
    ? create(key, after)
    : change(key, { set: after, when: equals('version', version) });
}

/** Plans the ledger entry and the balance for the credits to take or return. */
function planMovement(
  grant: Grant,
  balance: Balance,
  before: Known,
  after: Known,
): readonly Write[] {
  const { organizationId, intentId: reference } = grant;
  const opened = Number(after.isDisputed) - Number(before.isDisputed);
  const add = opened === 0 ? {} : { openDisputes: opened };
  const taken = after.reversedCredits - before.reversedCredits;
  const takenCents = reversedCents(grant, after) - reversedCents(grant, before);
  if (taken === 0 && takenCents === 0) {
    return opened === 0
      ? []
      : [change(billingKeys.balance(organizationId), { add, set: { updatedAt: timestamp() } })];
  }
  const { credits, ...split } = splitBetweenCreditsAndDebt(balance, taken);
  const entry = {
    id: newId(),
    type: 'adjustment',
    credits,
    amountCents: 0 - takenCents,
    description: describeReversal(before, after),
    reference,
    isReversal: true,
  } as const;

  return planEntry(organizationId, entry, {
    ...split,
    add: { ...add, available: 0 - taken },
  });
}

/** Plans one email per owner for each event. */
async function planMails(
  { organizationId }: Balance,
  before: Known,
  after: Known,
): Promise<readonly Write[]> {
  const disputed = after.disputedCents - before.disputedCents;
  const isLostAtOnce = !before.isDisputed && !after.isDisputed && disputed > 0;
  const letters: readonly Letter[] = [
    ...(after.refundedCents > before.refundedCents
      ? [
          (owner: Addressee) =>
            refundMail({
              ...owner,
              dollars: dollarsOf(after.refundedCents - before.refundedCents),
            }),
        ]
      : []),
    ...(after.isDisputed && !before.isDisputed
      ? [(owner: Addressee) => disputeOpenedMail({ ...owner, dollars: dollarsOf(disputed) })]
      : []),
    ...((before.isDisputed && !after.isDisputed) || isLostAtOnce
      ? [
          (owner: Addressee) =>
            disputeClosedMail({ ...owner, isWon: !isLostAtOnce && disputed < 0 }),
        ]
      : []),
  ];
  const mails = await Promise.all(
    letters.map((letter) => planMailsToOwners(organizationId, letter)),
  );

  return mails.flat();
}
