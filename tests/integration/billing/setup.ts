import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import {
  getAutoRefillSettings,
  updateAutoRefillSettings as updateSettings,
} from '#schemas/billing.ts';
import * as billing from '#schemas/billing-subscription.ts';
import { getSubscription } from '#schemas/billing-subscription.ts';
import type { Contract } from '#schemas/contract.ts';
import { createOrganization } from '#schemas/organizations.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { type CallInput, call } from '#tests/support/api.ts';
import { customerOf, defaultCardOf } from '#tests/support/billing.ts';
import { sandbox } from '#tests/support/mails.ts';
import { provider } from '#tests/support/provider.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { storedItems } from '#tests/support/table.ts';

export type SetUpSetup = Awaited<ReturnType<typeof setUpSetup>>;

/** Creates a second organization for the owner, whose billing is not set up. */
export async function setUpSetup() {
  liftRateLimits();
  const owner = await newAccount();
  const made = await call(createOrganization, {
    token: owner.token,
    body: { name: 'Difference Engines' },
  });
  const organizationId = made.body.organization.id;

  function here(options: CallInput = {}): CallInput {
    return {
      token: owner.token,
      ...options,
      headers: { 'x-organization-id': organizationId, ...options.headers },
    };
  }

  return { owner, organizationId, here };
}

export const none = 'No active subscription found';

export type SubscriptionSetup = Awaited<ReturnType<typeof subscriptionSetup>>;

/**
 * Creates an organization and reads its subscriptions, with a provider that has no earlier faults.
 */
export async function subscriptionSetup() {
  await sandbox.reset();
  const owner = await newAccount();

  const read = () => call(getSubscription, { token: owner.token });

  const change = (contract: Contract) => call(contract, { token: owner.token });

  /** Returns all of the organization's subscriptions at the provider, including ended ones. */
  async function atProvider() {
    const customer = await customerOf(owner.organizationId);
    const { data } = await provider.subscriptions.list({ customer, status: 'all' });

    return data;
  }

  async function running() {
    return (await atProvider()).filter(({ ended_at: endedAt }) => endedAt === null);
  }

  async function actions(): Promise<readonly unknown[]> {
    const items = await storedItems(`ORG#${owner.organizationId}`);

    return items.flatMap(({ action }) => (String(action).includes('subscription') ? [action] : []));
  }

  /** Returns the plan of the current period, the next plan, and the price at the provider. */
  async function plans() {
    const { plan, pendingPlanId } = (await read()).body.subscription;
    const [subscription] = await running();

    return [plan.id, pendingPlanId, subscription?.items.data[0]?.price.lookup_key];
  }

  /** The reason and the paid amount of each invoice of the subscription. */
  async function invoices() {
    const [subscription] = await atProvider();
    const { data } = await provider.invoices.list({ subscription: String(subscription?.id) });

    return data.toReversed().map(({ billing_reason: reason, amount_paid: paid }) => [reason, paid]);
  }

  return { owner, read, change, atProvider, running, actions, plans, invoices };
}

export type PaymentMethodSetup = Awaited<ReturnType<typeof paymentMethodSetup>>;

/** Creates an organization with one card, with a provider that has no earlier faults. */
export async function paymentMethodSetup() {
  await sandbox.reset();
  const owner = await newAccount();
  const first = await defaultCardOf(owner.organizationId);

  const addPaymentMethod = (paymentMethodId: string) =>
    call(billing.addPaymentMethod, { token: owner.token, body: { paymentMethodId } });

  const added = async (testCard = 'pm_card_mastercard'): Promise<string> =>
    (await addPaymentMethod(testCard)).body.paymentMethodId;

  const removePaymentMethod = (id: string) =>
    call(billing.removePaymentMethod, { token: owner.token, params: { payment_method_id: id } });

  const listPaymentMethods = async () =>
    (await call(billing.listPaymentMethods, { token: owner.token })).body;

  async function actions(): Promise<readonly unknown[]> {
    const items = await storedItems(`ORG#${owner.organizationId}`);

    return items.flatMap(({ action }) =>
      String(action).includes('payment_method') ? [action] : [],
    );
  }

  return {
    owner,
    first,
    addPaymentMethod,
    added,
    removePaymentMethod,
    listPaymentMethods,
    actions,
  };
}

export type AutoRefillSetup = Awaited<ReturnType<typeof autoRefillSetup>>;

/** Creates an organization and sets its auto-refill. */
export async function autoRefillSetup() {
  const owner = await newAccount();
  const organizationId = owner.organizationId;

  function updateAutoRefillSettings(settings: object = {}) {
    return call(updateSettings, {
      token: owner.token,
      body: { enabled: true, threshold: 100, amount: 10, ...settings },
    });
  }

  /** Keeps the balance below the threshold, however often it is refilled. */
  async function refillAlways(settings: object = {}) {
    const answer = await updateAutoRefillSettings({ threshold: 0, ...settings });
    await write(change(keys.balance(organizationId), { set: { refillThreshold: 10_000 } }));

    return answer;
  }

  async function settings() {
    return (await call(getAutoRefillSettings, { token: owner.token })).body.autoRefill;
  }

  return { owner, organizationId, updateAutoRefillSettings, refillAlways, settings };
}
