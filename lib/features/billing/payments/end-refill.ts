import { planMailsToOwners } from '#lib/features/billing/account/mails-to-owners.ts';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import type { BalanceChange } from '#lib/features/billing/ledger/ledger.ts';
import { hourMs, timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, equals } from '#lib/platform/db/conditions.ts';
import { dueIn } from '#lib/platform/db/due-work.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, type Write, write } from '#lib/platform/db/write.ts';
import { refillRefusedMail } from '#lib/platform/mail/mails.ts';
import {
  type PaymentFailure,
  PaymentMovedOn,
  type PaymentRecord,
  planOutcome,
} from './payment-record.ts';

/** After each refused card in a row. The last one switches refills off. */
const pausesMs = [hourMs, 2 * hourMs, 4 * hourMs];

/** What a refill that succeeded changes of the balance, beside the credits. */
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
 * Ends a refill that has failed, once. A refused card pauses refills, for longer each time, and the
 * third in a row switches them off; the owners are told. A payment that was never made is simply
 * tried again when refills are looked at next.
 */
export async function failRefill(payment: PaymentRecord, failure: PaymentFailure): Promise<void> {
  try {
    await retryWhenOvertaken('balance', () => failOnce(payment, failure));
  } catch (problem) {
    if (!(problem instanceof PaymentMovedOn)) {
      throw problem;
    }
  }
}

async function failOnce(payment: PaymentRecord, failure: PaymentFailure): Promise<void> {
  const failed = planOutcome(payment, { status: 'FAILED', reason: failure.reason });
  const balance = await get<Balance>(keys.balance(payment.organizationId));
  if (!balance) {
    await write(failed);

    return;
  }
  if (!failure.declined) {
    await write(failed, changeOfFailure(balance, payment, { refillState: 'IDLE' }));

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
    changeOfFailure(balance, payment, {
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

/** The money that was set aside of the month's cap is free again. */
function changeOfFailure(
  balance: Balance,
  { amountCents }: PaymentRecord,
  set: Readonly<Record<string, unknown>>,
): Write {
  const { refillDeclines, refillEnabled } = balance;

  return change(keys.balance(balance.organizationId), {
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
