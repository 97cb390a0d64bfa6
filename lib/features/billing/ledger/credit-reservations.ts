import { timestamp } from '#lib/platform/clock.ts';
import { above, allOf } from '#lib/platform/db/conditions.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { change, create, remove, type Write } from '#lib/platform/db/write.ts';
import { owes, planEntry } from './ledger.ts';

const creditsPerReply = 1;

/** Thrown if every remaining credit is reserved for other replies, or none is left. */
export class CreditsExhaustedError extends Error {
  constructor() {
    super('No credits left');
    this.name = 'CreditsExhaustedError';
  }
}

export class CreditAlreadyReservedError extends Error {
  constructor() {
    super('A credit is held for this reply already');
    this.name = 'CreditAlreadyReservedError';
  }
}

/** Thrown if no credit is reserved for the reply: it was used, released, or never reserved. */
export class NoReservationError extends Error {
  constructor() {
    super('No credit is held for this reply');
    this.name = 'NoReservationError';
  }
}

/**
 * Reserves a credit for a reply that is about to be sent. Add the writes to the transaction that
 * stores the reply. `replyId` must come from `newId`; it becomes the id of the ledger entry.
 *
 * Fails with CreditsExhausted if no credit is left or something is owed (call `refillWhenLow` then), or with
 * CreditHeldAlready if the reply already has one.
 */
export function planCreditReservation(organizationId: string, replyId: string): readonly Write[] {
  return [
    create(
      billingKeys.creditReservation(organizationId, replyId),
      { replyId, createdAt: timestamp() },
      () => new CreditAlreadyReservedError(),
    ),
    change(billingKeys.balance(organizationId), {
      add: { available: -creditsPerReply },
      when: allOf(above('available', creditsPerReply - 1), owes(0)),
      onConditionFailed: () => new CreditsExhaustedError(),
    }),
  ];
}

/**
 * Uses the credit reserved for a reply that was sent. Add the writes to the transaction that
 * records the reply as sent, and call `refillWhenLow` afterwards.
 *
 * Fails with NoCreditHeld, so that a reply is never charged twice.
 */
export function planCreditUse(organizationId: string, replyId: string): readonly Write[] {
  const entry = {
    id: replyId,
    type: 'usage',
    credits: -creditsPerReply,
    description: 'Automatic reply',
  } as const;

  return [planReservationEnd(organizationId, replyId), ...planEntry(organizationId, entry, {})];
}

/** Releases the credit of a reply that will not be sent. Fails with NoCreditHeld. */
export function planCreditRelease(organizationId: string, replyId: string): readonly Write[] {
  return [
    planReservationEnd(organizationId, replyId),
    change(billingKeys.balance(organizationId), { add: { available: creditsPerReply } }),
  ];
}

function planReservationEnd(organizationId: string, replyId: string): Write {
  return remove(billingKeys.creditReservation(organizationId, replyId), {
    onConditionFailed: () => new NoReservationError(),
  });
}
