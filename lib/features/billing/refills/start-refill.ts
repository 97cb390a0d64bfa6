import type { BillingCustomer } from '#lib/features/billing/customer/billing-customer.ts';
import { planMailsToOwners } from '#lib/features/billing/customer/mails-to-owners.ts';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import { repayDebt } from '#lib/features/billing/ledger/debt.ts';
import { creditsFor, dollarsOf } from '#lib/features/billing/money.ts';
import { type PaymentRecord, planPayment } from '#lib/features/billing/payments/payment-record.ts';
import { minuteMs, now, timestamp } from '#lib/platform/clock.ts';
import {
  absent,
  allOf,
  below,
  belowAttribute,
  type Condition,
  differs,
  either,
  equals,
} from '#lib/platform/db/conditions.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { change, type Write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { newId } from '#lib/platform/ids.ts';
import { refillCapMail } from '#lib/platform/mail/mails.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { monthlyCapCents } from './auto-refill-settings.ts';
import { notifyCreditsLow } from './credit-events.ts';

/** Minimum time between two refills. */
const minIntervalMs = 5 * minuteMs;

type PlannedRefill = {
  readonly amountCents: number;
  readonly month: string;
  readonly monthCents: number;
};

/**
 * Starts a refill if the balance is below its threshold, and sends low-credit notifications. Call
 * it after each debit, and when a debit fails for lack of credits. Only one concurrent caller
 * starts the refill. No refill starts while the organization is suspended, a payment is disputed,
 * or another refill is in flight, paused, or less than five minutes old. The scheduled job handles
 * missed calls.
 *
 * @returns true if a refill was started.
 */
export async function refillWhenLow(organizationId: string): Promise<boolean> {
  const [balance, customer, organization] = (await getMany<object>([
    billingKeys.balance(organizationId),
    billingKeys.billing(organizationId),
    organizationKeys.organization(organizationId),
  ])) as readonly [
    Balance | undefined,
    BillingCustomer | undefined,
    { readonly suspendedAt?: string } | undefined,
  ];
  if (!balance || organization?.suspendedAt) {
    return false;
  }
  const isStarted = customer ? await refillIfDue(balance, customer) : false;
  await notifyCreditsLow(balance, {
    isRefillExpected: customer !== undefined && isRefillExpected(balance),
  });

  return isStarted;
}

async function refillIfDue(balance: Balance, customer: BillingCustomer): Promise<boolean> {
  await repayDebt(balance);
  const wanted = findDueRefill(balance);
  const isCapped = wanted !== undefined && exceedsCap(balance, wanted);
  const isStarted = wanted && !isCapped ? await begin(balance, customer, wanted) : false;
  if (isCapped) {
    await notifyCapReached(balance, wanted.month);
  }

  return isStarted;
}

async function begin(
  balance: Balance,
  { customerId }: BillingCustomer,
  wanted: PlannedRefill,
): Promise<boolean> {
  const { organizationId } = balance;
  const payment = newRefill(organizationId, customerId, wanted, balance);
  const charge = planWork('refillCharge', {
    owner: billingKeys.payment(organizationId, payment.paymentId),
    workId: payment.paymentId,
    payload: { organizationId, paymentId: payment.paymentId },
  });

  return writeIfMet(planRefillClaim(balance, wanted), planPayment(payment), charge);
}

/** True if a refill is in flight, or will start when credits are low. */
function isRefillExpected(balance: Balance): boolean {
  const next = nextRefill(balance);
  const isRefused = (balance.refillDeclines ?? 0) > 0;
  const isCapped =
    balance.refillState === 'IDLE' && next !== undefined && exceedsCap(balance, next);

  return next !== undefined && !isRefused && !isCapped;
}

/** Returns the due refill before the cap is checked, or `undefined`. */
function findDueRefill(balance: Balance): PlannedRefill | undefined {
  const next = nextRefill(balance);
  const isLow = balance.available < (balance.refillThreshold ?? 0);
  if (!isLow || balance.refillState === 'IN_FLIGHT') {
    return undefined;
  }
  const { refillStartedAt, refillPausedUntil } = balance;
  const isTooSoon = refillStartedAt && Date.parse(refillStartedAt) + minIntervalMs > now();
  const isPaused = refillPausedUntil && Date.parse(refillPausedUntil) > now();

  return isTooSoon || isPaused ? undefined : next;
}

/** Returns the next refill, unless auto-refill is off or waits for a dispute. */
function nextRefill(balance: Balance): PlannedRefill | undefined {
  const { refillEnabled, refillAmountCents: amountCents, openDisputes = 0 } = balance;
  if (!refillEnabled || openDisputes > 0 || amountCents === undefined) {
    return undefined;
  }
  const month = timestamp().slice(0, 7);
  const spentCents = balance.refillMonth === month ? (balance.refillMonthCents ?? 0) : 0;

  return { amountCents, month, monthCents: spentCents + amountCents };
}

function exceedsCap(balance: Balance, { monthCents }: PlannedRefill): boolean {
  return monthCents > monthlyCapCents(balance);
}

function newRefill(
  organizationId: string,
  customerId: string,
  { amountCents }: PlannedRefill,
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

/** Claims the next refill number. Fails if the balance has changed since it was read. */
function planRefillClaim(
  balance: Balance,
  { amountCents, month, monthCents }: PlannedRefill,
): Write {
  return change(billingKeys.balance(balance.organizationId), {
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
      either(absent('openDisputes'), below('openDisputes', 1)),
      sameCap(balance),
      belowAttribute('available', 'refillThreshold'),
    ),
  });
}

/** The condition that the cap has not changed since it was read. */
function sameCap({ refillCapCents }: Balance): Condition {
  return refillCapCents === undefined
    ? absent('refillCapCents')
    : equals('refillCapCents', refillCapCents);
}

/**
 * Notifies the owners that the monthly cap prevents a refill. Sends one email per month and cap,
 * even with concurrent callers.
 */
async function notifyCapReached(balance: Balance, month: string): Promise<void> {
  const { organizationId, refillCapTold } = balance;
  const capCents = monthlyCapCents(balance);
  const notice = `${month} ${capCents}`;
  if (refillCapTold === notice) {
    return;
  }
  const mails = await planMailsToOwners(organizationId, (owner) =>
    refillCapMail({ ...owner, month, cap: dollarsOf(capCents) }),
  );
  await writeIfMet(
    change(billingKeys.balance(organizationId), {
      set: { refillCapTold: notice },
      when: allOf(
        either(absent('refillCapTold'), differs('refillCapTold', notice)),
        sameCap(balance),
        equals('refillEnabled', true),
      ),
    }),
    ...mails,
  );
}
