import { planCardsUnlocked } from '#lib/features/billing/cards/card-lease.ts';
import { requireBilling } from '#lib/features/billing/customer/billing-customer.ts';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import { centsOf, creditsFor } from '#lib/features/billing/money.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { allOf, equals } from '#lib/platform/db/conditions.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { applied, change, type ExtraWrites, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { billingNotSetUp, rejectProblems } from '#lib/platform/errors/failures.ts';
import type { updateAutoRefillSettings } from '#schemas/billing.ts';
import type { BodyOf } from '#schemas/contract.ts';
import {
  defaultAmountCents,
  defaultCapRefills,
  defaultThreshold,
  monthlyCapCents,
  presentAutoRefill,
} from './auto-refill-settings.ts';

type AutoRefillSettings = BodyOf<typeof updateAutoRefillSettings>;

/**
 * Stores the auto-refill settings. Omitted fields keep their values, except that a new amount
 * without a cap gets the default cap. Ends a pause and turns auto-refill on again after declines.
 * Does not affect a refill in progress.
 *
 * @throws 404 if billing is not set up, 400 if the cap is lower than one refill or a refill cannot
 * raise the balance above the threshold, 409 if another request is changing the payment methods.
 */
export async function saveAutoRefill(
  organizationId: string,
  actorId: string,
  settings: AutoRefillSettings,
  extraWrites: ExtraWrites<ReturnType<typeof presentAutoRefill>>,
): Promise<ReturnType<typeof presentAutoRefill>> {
  const { balance } = await requireBilling(organizationId);
  const changed = {
    refillEnabled: settings.enabled,
    ...settingsAfter(balance, settings),
    refillDeclines: null,
    refillPausedUntil: null,
  };
  const saved = presentAutoRefill(applied(balance, changed));
  const { enabled, threshold, amount, monthlyCap } = saved;
  await write(
    ...(await extraWrites(saved)),
    change(billingKeys.balance(organizationId), {
      set: {
        ...changed,
        ...(enabled ? dueIn('REFILL', timestamp()) : { duePk: null, dueAt: null }),
      },
      onConditionFailed: billingNotSetUp,
    }),
    ...(enabled ? [planCardsUnlocked(organizationId)] : []),
    ...planAudit(organizationId, {
      action: 'billing.auto_refill_changed',
      actorId,
      details: { enabled, threshold, amount, monthlyCap },
    }),
  );

  return saved;
}

/**
 * Returns the threshold, amount and cap to store. Turning it off without other changes is always
 * possible.
 */
function settingsAfter(balance: Balance, settings: AutoRefillSettings) {
  const { enabled, monthlyCap } = settings;
  const threshold = settings.threshold ?? undefined;
  const amountCents = typeof settings.amount === 'number' ? centsOf(settings.amount) : undefined;
  const isKept = amountCents === undefined && monthlyCap === undefined;
  const refillAmountCents = amountCents ?? balance.refillAmountCents ?? defaultAmountCents;
  const after = {
    refillThreshold: threshold ?? balance.refillThreshold ?? defaultThreshold,
    refillAmountCents,
    refillCapCents: isKept ? monthlyCapCents(balance) : capCentsOf(monthlyCap, refillAmountCents),
  };
  const isLiftChanged = enabled || amountCents !== undefined || threshold !== undefined;
  const isCapChanged = enabled || typeof monthlyCap === 'number';
  const problems = [
    ...(isLiftChanged && creditsFor(refillAmountCents) <= after.refillThreshold
      ? ['amount must buy more credits than the threshold']
      : []),
    ...(isCapChanged && after.refillCapCents < refillAmountCents
      ? ['monthlyCap must not be less than amount']
      : []),
  ];
  rejectProblems(problems);

  return after;
}

function capCentsOf(monthlyCap: number | null | undefined, amountCents: number): number {
  return typeof monthlyCap === 'number' ? centsOf(monthlyCap) : defaultCapRefills * amountCents;
}

/**
 * Ends the pause after a declined card, because a new card was provided. Does not turn auto-refill
 * on again.
 */
export async function endRefillPause(balance: Balance | undefined): Promise<void> {
  const { organizationId, refillEnabled, refillPausedUntil } = balance ?? {};
  if (!organizationId || !refillEnabled || refillPausedUntil === undefined) {
    return;
  }
  await writeIfMet(
    change(billingKeys.balance(organizationId), {
      set: { refillDeclines: null, refillPausedUntil: null, ...dueIn('REFILL', timestamp()) },
      when: allOf(equals('refillEnabled', true), equals('refillPausedUntil', refillPausedUntil)),
    }),
  );
}
