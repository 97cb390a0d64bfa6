import type { BillingAccount } from '#lib/features/billing/account/billing-account.ts';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import { creditsFor } from '#lib/features/billing/money.ts';
import { type PaymentRecord, planPayment } from '#lib/features/billing/payments/payment-record.ts';
import { minuteMs, now, timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, belowAttribute, equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { change, type Write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { newId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { tellOfCredits } from './credit-events.ts';
import { tellOfCap } from './refill-cap.ts';

/** No refill follows another sooner. */
const leastBetweenMs = 5 * minuteMs;

type Wanted = { readonly amountCents: number; readonly month: string; readonly monthCents: number };

/**
 * To be called after each debit, and where there was no credit for one. Begins a refill where the
 * balance has fallen below its threshold, and tells campaigns' receivers that credits run low. Of
 * many callers at once one begins it, and none while another is in flight, or paused, or has just
 * been. What is missed, the scheduled job finds.
 *
 * @returns whether a refill was begun.
 */
export async function refillWhenLow(organizationId: string): Promise<boolean> {
  const [balance, account] = (await getMany<Balance | BillingAccount>([
    keys.balance(organizationId),
    keys.billing(organizationId),
  ])) as readonly [Balance | undefined, BillingAccount | undefined];
  if (!balance || !account) {
    return false;
  }
  const wanted = wantedRefill(balance);
  const isStopped = wanted !== undefined && exceedsCap(balance, wanted);
  const isBegun = wanted && !isStopped ? await begin(balance, account, wanted) : false;
  if (isStopped) {
    await tellOfCap(balance, wanted.month);
  }
  await tellOfCredits(balance);

  return isBegun;
}

async function begin(
  balance: Balance,
  { customerId }: BillingAccount,
  wanted: Wanted,
): Promise<boolean> {
  const { organizationId } = balance;
  const payment = newRefill(organizationId, customerId, wanted, balance);
  const charge = planWork('refillCharge', {
    owner: keys.payment(organizationId, payment.paymentId),
    workId: payment.paymentId,
    payload: JSON.stringify({ organizationId, paymentId: payment.paymentId }),
  });

  return writeIfMet(goInFlight(balance, wanted), planPayment(payment), charge);
}

/** What is to be bought now, if the cap allows it; `undefined`: nothing. */
function wantedRefill(balance: Balance): Wanted | undefined {
  const { refillAmountCents: amountCents, refillThreshold = 0 } = balance;
  const isLow = balance.refillEnabled && balance.available < refillThreshold;
  if (!isLow || amountCents === undefined || balance.refillState === 'IN_FLIGHT') {
    return undefined;
  }
  const { refillStartedAt, refillPausedUntil } = balance;
  const isTooSoon = refillStartedAt && Date.parse(refillStartedAt) + leastBetweenMs > now();
  const isPaused = refillPausedUntil && Date.parse(refillPausedUntil) > now();
  if (isTooSoon || isPaused) {
    return undefined;
  }
  const month = timestamp().slice(0, 7);
  const spentCents = balance.refillMonth === month ? (balance.refillMonthCents ?? 0) : 0;

  return { amountCents, month, monthCents: spentCents + amountCents };
}

function exceedsCap({ refillCapCents }: Balance, { monthCents }: Wanted): boolean {
  return refillCapCents !== undefined && monthCents > refillCapCents;
}

function newRefill(
  organizationId: string,
  customerId: string,
  { amountCents }: Wanted,
  { refillSeq }: Balance,
): PaymentRecord {
  return {
    paymentId: newId(),
    organizationId,
    customerId,
    kind: 'auto_refill',
    amountCents,
    credits: creditsFor(amountCents),
    status: 'PENDING',
    createdAt: timestamp(),
    refillSeq: refillSeq + 1,
  };
}

/** The number of the refill is taken by one caller, and only while all stands as it was read. */
function goInFlight(balance: Balance, { amountCents, month, monthCents }: Wanted): Write {
  const { refillCapCents } = balance;

  return change(keys.balance(balance.organizationId), {
    set: {
      refillState: 'IN_FLIGHT',
      refillSeq: balance.refillSeq + 1,
      refillStartedAt: timestamp(),
      refillMonth: month,
      refillMonthCents: monthCents,
    },
    when: allOf(
      equals('refillSeq', balance.refillSeq),
      equals('refillState', 'IDLE'),
      equals('refillEnabled', true),
      equals('refillAmountCents', amountCents),
      refillCapCents === undefined
        ? absent('refillCapCents')
        : equals('refillCapCents', refillCapCents),
      belowAttribute('available', 'refillThreshold'),
    ),
  });
}
