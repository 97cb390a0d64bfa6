import { planCardsUnlocked } from '#lib/features/billing/cards/card-lease.ts';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import { centsOf, dollarsOf } from '#lib/features/billing/money.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { now, timestamp } from '#lib/platform/clock.ts';
import { allOf, equals } from '#lib/platform/db/conditions.ts';
import { dueIn } from '#lib/platform/db/due-work.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { type Alongside, change, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { badRequest, billingNotSetUp } from '#lib/platform/errors/failures.ts';
import type { updateAutoRefillSettings } from '#schemas/billing.ts';
import type { BodyOf } from '#schemas/contract.ts';

/** In credits. */
export const defaultThreshold = 100;
const defaultAmountCents = 2_500;

export type AutoRefillSettings = BodyOf<typeof updateAutoRefillSettings>;

export function presentAutoRefill(balance: Balance) {
  const pausedUntil = balance.refillPausedUntil;
  const isPaused =
    balance.refillEnabled && pausedUntil !== undefined && Date.parse(pausedUntil) > now();

  return {
    enabled: balance.refillEnabled,
    threshold: balance.refillThreshold ?? defaultThreshold,
    amount: dollarsOf(balance.refillAmountCents ?? defaultAmountCents),
    monthlyCap: balance.refillCapCents === undefined ? null : dollarsOf(balance.refillCapCents),
    lastRefill: balance.lastRefillAt,
    nextRefill: isPaused ? pausedUntil : null,
  };
}

/**
 * Saves the auto-refill settings. Ends a pause and turns auto-refill back on after declines. A
 * refill in progress is not affected.
 *
 * @throws 404 if billing is not set up, 400 if the cap is lower than one refill, 409 if another
 *   request is changing the payment methods.
 */
export async function saveAutoRefill(
  organizationId: string,
  actorId: string,
  settings: AutoRefillSettings,
  alongside: Alongside<void>,
): Promise<void> {
  const { enabled, threshold, amount, monthlyCap } = settings;
  if (typeof monthlyCap === 'number' && monthlyCap < amount) {
    throw badRequest('monthlyCap must not be less than amount');
  }
  await write(
    ...(await alongside()),
    change(keys.balance(organizationId), {
      set: {
        refillEnabled: enabled,
        refillThreshold: threshold,
        refillAmountCents: centsOf(amount),
        refillCapCents: typeof monthlyCap === 'number' ? centsOf(monthlyCap) : null,
        refillDeclines: null,
        refillPausedUntil: null,
        ...(enabled ? dueIn('REFILL', timestamp()) : { duePk: null, dueAt: null }),
      },
      refused: billingNotSetUp,
    }),
    ...(enabled ? [planCardsUnlocked(organizationId)] : []),
    ...planAudit(organizationId, {
      action: 'billing.auto_refill_changed',
      actorId,
      targetType: 'billing',
      targetId: organizationId,
      details: { enabled, threshold, amount, monthlyCap: monthlyCap ?? null },
    }),
  );
}

/**
 * Ends the pause that follows a declined card, because a new card was provided. Does not turn
 * auto-refill back on.
 */
export async function endRefillPause(balance: Balance | undefined): Promise<void> {
  const { organizationId, refillEnabled, refillPausedUntil } = balance ?? {};
  if (!organizationId || !refillEnabled || refillPausedUntil === undefined) {
    return;
  }
  await writeIfMet(
    change(keys.balance(organizationId), {
      set: { refillDeclines: null, refillPausedUntil: null, ...dueIn('REFILL', timestamp()) },
      when: allOf(equals('refillEnabled', true), equals('refillPausedUntil', refillPausedUntil)),
    }),
  );
}
