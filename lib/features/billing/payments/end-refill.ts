import { planMailsToOwners } from '#lib/features/billing/customer/mails-to-owners.ts';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import type { BalanceChange } from '#lib/features/billing/ledger/ledger.ts';
import { hourMs, timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, equals } from '#lib/platform/db/conditions.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, type Write, write } from '#lib/platform/db/write.ts';
import { refillRefusedMail } from '#lib/platform/mail/mails.ts';
import {
  PaymentChangedError,
  type PaymentFailure,
  type PaymentRecord,
  planOutcome,
} from './payment-record.ts';

/** Pause after each consecutive decline. The last decline turns auto-refill off. */
const pausesMs = [hourMs, 2 * hourMs, 4 * hourMs];

export function afterRefill(): BalanceChange {
  return {
    set: {
      refillState: 'IDLE',
      lastRefillAt: timestamp(),
      refillDeclines: null,
      refillPausedUntil: null,
    },
  };
}

/**
 * Records a failed refill, once. A declined card pauses auto-refill, longer each time, and the
 * third consecutive decline turns it off. The owners are notified. If the payment was never made,
 * the next scheduled check tries again.
 */
export async function failRefill(payment: PaymentRecord, failure: PaymentFailure): Promise<void> {
  try {
    await retryWhenOvertaken('balance', () => failOnce(payment, failure));
  } catch (problem) {
    if (!(problem instanceof PaymentChangedError)) {
      throw problem;
    }
  }
}

async function failOnce(payment: PaymentRecord, failure: PaymentFailure): Promise<void> {
  const failed = planOutcome(payment, { status: 'FAILED', reason: failure.reason });
  const balance = await get<Balance>(billingKeys.balance(payment.organizationId));
  if (!balance) {
    await write(failed);

    return;
  }
  if (!failure.declined) {
    await write(failed, planFailureChange(balance, payment, { refillState: 'IDLE' }));

    return;
  }
  const declines = (balance.refillDeclines ?? 0) + 1;
  const pauseMs = pausesMs[declines - 1] ?? 0;
  const isOff = declines >= pausesMs.length;
  const pausedUntil = timestamp(pauseMs);
  const mails = await planMailsToOwners(payment.organizationId, (owner) =>
    refillRefusedMail({
      ...owner,
      reason: failure.reason,
      pausedUntil: isOff ? undefined : pausedUntil,
    }),
  );
  await write(
    failed,
    planFailureChange(balance, payment, {
      refillState: 'IDLE',
      refillDeclines: declines,
      refillPausedUntil: pausedUntil,
      ...(isOff
        ? { refillEnabled: false, duePk: null, dueAt: null }
        : balance.refillEnabled
          ? dueIn('REFILL', pausedUntil)
          : {}),
    }),
    ...mails,
  );
}

/** Also releases the amount that was reserved in the monthly cap. */
function planFailureChange(
  balance: Balance,
  { amountCents }: PaymentRecord,
  set: Readonly<Record<string, unknown>>,
): Write {
  const { refillDeclines, refillEnabled } = balance;

  return change(billingKeys.balance(balance.organizationId), {
    set,
    add: { refillMonthCents: -amountCents },
    when: allOf(
      refillDeclines === undefined
        ? absent('refillDeclines')
        : equals('refillDeclines', refillDeclines),
      equals('refillEnabled', refillEnabled),
    ),
  });
}
