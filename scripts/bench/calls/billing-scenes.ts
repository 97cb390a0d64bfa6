import { createHmac } from 'node:crypto';
import { requireBillingAccount } from '#lib/features/billing/account/billing-account.ts';
import {
  planCreditRelease,
  planCreditReservation,
  planCreditUse,
} from '#lib/features/billing/ledger/credit-reservations.ts';
import { refillWhenLow } from '#lib/features/billing/refills/start-refill.ts';
import { scheduleSubscriptionEnd } from '#lib/features/billing/subscriptions/schedule-subscription-end.ts';
import { now } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { findDefaultCard } from '#lib/vendors/stripe/payments.ts';
import * as billing from '#schemas/billing.ts';
import * as subscription from '#schemas/billing-subscription.ts';
import { createOrganization } from '#schemas/organizations.ts';
import { lambdaContext } from './gateway-event.ts';
import { callOf, type Part, type Scene, signedInCall } from './scene.ts';
import { loadHandler, newEmail, type World } from './world.ts';

const refill = { enabled: true, threshold: 1_000, amount: 25 };

async function cardOf(organizationId: string): Promise<string> {
  const { customerId } = await requireBillingAccount(organizationId);
  const card = await findDefaultCard(customerId);

  return card?.id ?? '';
}

/** A signed provider event about a payment that is already finalized. */
function signedEvent() {
  const at = Math.floor(now() / 1_000);
  const body = JSON.stringify({
    id: `evt_${newId()}`,
    type: 'payment_intent.succeeded',
    created: at,
    data: { object: { id: 'pi_3', metadata: { organization_id: newId(), payment_id: newId() } } },
  });
  const v1 = createHmac('sha256', 'whsec_sandbox').update(`${at}.${body}`).digest('hex');

  return { body, headers: { 'stripe-signature': `t=${at},v1=${v1}` } };
}

/** An organization whose credits are below its auto-refill threshold. */
async function lowOnCredits(world: World): Promise<string> {
  const { token, organizationId } = await world.newAccount();
  await world.call(billing.updateAutoRefillSettings, { token, body: refill });

  return organizationId;
}

/** A user with a subscription. */
async function subscriber(world: World) {
  const { token, organizationId } = await world.newAccount();
  await world.call(subscription.createSubscription, {
    token,
    body: { planId: 'starter', paymentMethodId: await cardOf(organizationId) },
  });

  return { token, organizationId };
}

/** A subscriber's card as a path parameter. */
async function cardInPath(world: World) {
  const { token, organizationId } = await subscriber(world);
  const added = await world.call(subscription.addPaymentMethod, {
    token,
    body: { paymentMethodId: 'pm_card_mastercard' },
  });

  return { token, organizationId, params: { payment_method_id: added.paymentMethodId } };
}

export const billingScenes: Readonly<Record<string, Scene>> = {
  'set-up-billing': callOf(billing.setUpBilling, async (world) => {
    const { token } = await world.newAccount();
    const { organization } = await world.call(createOrganization, {
      token,
      body: { name: 'Difference Engines' },
    });

    return {
      token,
      headers: { 'x-organization-id': organization.id },
      body: { email: newEmail(), name: 'Difference Ltd' },
    };
  }),
  'add-payment-method': callOf(subscription.addPaymentMethod, async (world) => ({
    ...(await subscriber(world)),
    body: { paymentMethodId: 'pm_card_mastercard' },
  })),
  'list-payment-methods': signedInCall(subscription.listPaymentMethods),
  'remove-payment-method': callOf(subscription.removePaymentMethod, cardInPath),
  'set-default-payment-method': callOf(subscription.setDefaultPaymentMethod, cardInPath),
  'create-billing-setup-intent': signedInCall(subscription.createBillingSetupIntent, {}),
  'get-subscription': callOf(subscription.getSubscription, subscriber),
  'create-subscription': callOf(subscription.createSubscription, async (world) => {
    const { token, organizationId } = await world.newAccount();
    const paymentMethodId = await cardOf(organizationId);

    return { token, body: { planId: 'starter', paymentMethodId } };
  }),
  'change-plan': callOf(subscription.changePlan, async (world) => ({
    ...(await subscriber(world)),
    body: { planId: 'growth' },
  })),
  'cancel-subscription': callOf(subscription.cancelSubscription, subscriber),
  'pause-subscription': callOf(subscription.pauseSubscription, subscriber),
  'resume-subscription': callOf(subscription.resumeSubscription, async (world) => {
    const call = await subscriber(world);
    await world.call(subscription.pauseSubscription, { token: call.token });

    return call;
  }),
  'list-invoices': callOf(subscription.listInvoices, subscriber),
  'list-plans': signedInCall(subscription.listPlans),
  'subscription-ending': async (world) => {
    const { organizationId } = await subscriber(world);
    await world.queues.drain();
    await scheduleSubscriptionEnd(organizationId);

    return world.queues.takeEvent('subscription-ending');
  },
  'get-balance': signedInCall(billing.getBalance),
  'purchase-credits': callOf(billing.purchaseCredits, async (world) => {
    const { token, organizationId } = await world.newAccount();

    return { token, body: { amount: 25, paymentMethodId: await cardOf(organizationId) } };
  }),
  'get-auto-refill-settings': signedInCall(billing.getAutoRefillSettings),
  'update-auto-refill-settings': signedInCall(billing.updateAutoRefillSettings, refill),
  'get-usage': signedInCall(billing.getUsage),
  'get-forecast': signedInCall(billing.getForecast),
  'create-usage-report': signedInCall(billing.createUsageReport, {
    startDate: '2026-01-01',
    endDate: '2026-12-31',
    format: 'csv',
  }),
  'list-transactions': signedInCall(billing.listTransactions),
  'list-ledger': signedInCall(billing.listLedger),
  'receive-payment-event': callOf(billing.receivePaymentEvent, signedEvent),
  'payment-events': async (world) => {
    await world.queues.drain();
    await world.call(billing.receivePaymentEvent, signedEvent());

    return world.queues.takeEvent('payment-events');
  },
  'refill-charge': async (world) => {
    const organizationId = await lowOnCredits(world);
    await world.queues.drain();
    await refillWhenLow(organizationId);

    return world.queues.takeEvent('refill-charge');
  },
  // Runs every five minutes. One balance needs a refill here.
  'credit-refill': async (world) => {
    const job = await loadHandler('jobs', 'credit-refill');
    await job({}, lambdaContext());
    await lowOnCredits(world);

    return {};
  },
  // Nothing to reconcile, which is the usual case.
  'payment-reconcile': async () => ({}),
};

/**
 * An organization with a pending automatic reply. Enough credits remain to stay above the
 * low-credit threshold.
 */
async function replying(world: World) {
  const { token, organizationId } = await world.newAccount();
  await world.call(billing.updateAutoRefillSettings, { token, body: { ...refill, threshold: 10 } });

  return { organizationId, replyId: newId() };
}

/** The cost of a reply's credits, separate from the worker that sends it. */
export const billingParts: Readonly<Record<string, Part>> = {
  'debit, held': async (world) => {
    const { organizationId, replyId } = await replying(world);

    return () => write(...planCreditReservation(organizationId, replyId));
  },
  'debit, used': async (world) => {
    const { organizationId, replyId } = await replying(world);
    await write(...planCreditReservation(organizationId, replyId));

    return async () => {
      await write(...planCreditUse(organizationId, replyId));
      await refillWhenLow(organizationId);
    };
  },
  'debit, given back': async (world) => {
    const { organizationId, replyId } = await replying(world);
    await write(...planCreditReservation(organizationId, replyId));

    return () => write(...planCreditRelease(organizationId, replyId));
  },
};
