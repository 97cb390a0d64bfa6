import { timestamp } from '#lib/platform/clock.ts';
import { above } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, create, remove, type Write } from '#lib/platform/db/write.ts';
import { planEntry } from './ledger.ts';

const creditsPerReply = 1;

/** There is no credit left that is not held for another reply. */
export class CreditsExhausted extends Error {
  constructor() {
    super('No credits left');
    this.name = 'CreditsExhausted';
  }
}

/** The reply has a credit held for it already. */
export class CreditHeldAlready extends Error {
  constructor() {
    super('A credit is held for this reply already');
    this.name = 'CreditHeldAlready';
  }
}

/** No credit is held for the reply: it has been settled or released, or was never reserved. */
export class NoCreditHeld extends Error {
  constructor() {
    super('No credit is held for this reply');
    this.name = 'NoCreditHeld';
  }
}

/**
 * Holds a credit for a reply that is about to be sent. Put the writes into the transaction that
 * writes the reply down; `replyId` is an id of `newId`, and becomes the ledger entry's.
 *
 * Refused with CreditsExhausted where none is left, after which `refillWhenLow` is to be called;
 * with CreditHeldAlready for the same reply.
 */
export function reserveCredit(organizationId: string, replyId: string): readonly Write[] {
  return [
    create(
      keys.creditReservation(organizationId, replyId),
      { replyId, createdAt: timestamp() },
      () => new CreditHeldAlready(),
    ),
    change(keys.balance(organizationId), {
      add: { available: -creditsPerReply },
      when: above('available', creditsPerReply - 1),
      refused: () => new CreditsExhausted(),
    }),
  ];
}

/**
 * The reply was sent: the credit that was held for it is used. Put the writes into the transaction
 * that says so, and call `refillWhenLow` after it.
 *
 * Refused with NoCreditHeld, so that a reply is paid for once.
 */
export function settleCredit(
  organizationId: string,
  replyId: string,
  description = 'Automatic reply',
): readonly Write[] {
  const entry = { id: replyId, type: 'usage', credits: -creditsPerReply, description } as const;

  return [endReservation(organizationId, replyId), ...planEntry(organizationId, entry, {})];
}

/** The reply will not be sent: the credit is free again. Refused with NoCreditHeld. */
export function releaseCredit(organizationId: string, replyId: string): readonly Write[] {
  return [
    endReservation(organizationId, replyId),
    change(keys.balance(organizationId), { add: { available: creditsPerReply } }),
  ];
}

function endReservation(organizationId: string, replyId: string): Write {
  return remove(keys.creditReservation(organizationId, replyId), {
    refused: () => new NoCreditHeld(),
  });
}
