import { findBillingAccount } from '#lib/features/billing/account/billing-account.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { discard, write } from '#lib/platform/db/write.ts';
import { setUpBilling } from '#schemas/billing.ts';
import { pauseSubscription } from '#schemas/billing-subscription.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { customerOf, defaultCardOf, giveCard, subscribe } from '#tests/support/billing.ts';
import { sandbox } from '#tests/support/mails.ts';
import { provider } from '#tests/support/provider.ts';
import type { Fixture, Fixtures } from './fixture.ts';
import type { World } from './world.ts';

/** Removes the organization's billing, which the signup has set up. */
async function withoutBilling({ organizationId }: World): Promise<void> {
  await write(
    discard(keys.billing(organizationId)),
    discard(keys.balance(organizationId)),
    discard(keys.billingSetup(organizationId)),
  );
}

/** Sets up billing if another fixture has removed it, because worlds are shared. */
async function withBilling({ organizationId, people, names }: World): Promise<void> {
  if (await findBillingAccount(organizationId)) {
    return;
  }
  const { token } = people.OWNER;
  await write(discard(keys.billingSetup(organizationId)));
  await call(setUpBilling, { token, body: { email: freshEmail(), name: names[0] } });
  await giveCard(organizationId, 'pm_card_visa');
}

/** Requires only that billing is set up. */
const standing: Fixture = {
  params: async (world) => {
    await withBilling(world);

    return {};
  },
};

/** Adds another card to the organization. */
async function ownCardInPath(world: World) {
  await withBilling(world);
  const { id } = await provider.paymentMethods.attach('pm_card_mastercard', {
    customer: await customerOf(world.organizationId),
  });

  return { payment_method_id: id };
}

/** Ends the organization's subscription, if any. */
async function unsubscribed({ organizationId }: Pick<World, 'organizationId'>): Promise<void> {
  await write(discard(keys.subscription(organizationId)));
}

/** Creates a subscription for the organization. The path has no parameters. */
async function subscribed(world: World) {
  await withBilling(world);
  await unsubscribed(world);
  const { organizationId, people } = world;
  const paymentMethodId = await giveCard(organizationId, 'pm_card_visa');
  await subscribe({ token: people.OWNER.token, organizationId }, { paymentMethodId });

  return {};
}

async function paused(world: World) {
  await subscribed(world);
  await call(pauseSubscription, { token: world.people.OWNER.token });

  return {};
}

export const billingFixtures: Fixtures = {
  setUpBilling: {
    body: async (world) => {
      await withoutBilling(world);

      return { email: freshEmail() };
    },
  },
  getBalance: standing,
  purchaseCredits: {
    body: async (world) => {
      await withBilling(world);

      return { paymentMethodId: await defaultCardOf(world.organizationId) };
    },
  },
  getUsage: standing,
  getForecast: standing,
  createUsageReport: standing,
  listTransactions: standing,
  listLedger: standing,
  getAutoRefillSettings: standing,
  updateAutoRefillSettings: standing,
  addPaymentMethod: {
    body: async (world) => {
      await withBilling(world);

      return { paymentMethodId: 'pm_card_visa' };
    },
  },
  listPaymentMethods: standing,
  createBillingSetupIntent: standing,
  removePaymentMethod: { params: ownCardInPath },
  setDefaultPaymentMethod: { params: ownCardInPath },
  getSubscription: { params: subscribed },
  createSubscription: {
    body: async (world) => {
      await withBilling(world);
      await unsubscribed(world);

      return {
        planId: 'starter',
        paymentMethodId: await defaultCardOf(world.organizationId),
      };
    },
  },
  changePlan: { params: subscribed, body: async () => ({ planId: 'growth' }) },
  cancelSubscription: { params: subscribed },
  pauseSubscription: { params: subscribed },
  resumeSubscription: { params: paused },
  listInvoices: {
    query: async (world) => {
      await subscribed(world);
      const invoices = await provider.invoices.list({
        customer: await customerOf(world.organizationId),
      });

      return { startingAfter: invoices.data[0]?.id ?? '' };
    },
  },
  receivePaymentEvent: {
    signed: async () => {
      const { payload, signature } = await sandbox.sendPaymentEvent({
        type: 'payment_intent.succeeded',
        object: { id: 'pi_unknown' },
      });

      return {
        body: payload,
        headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
      };
    },
  },
};
