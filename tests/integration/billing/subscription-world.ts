import { getSubscription } from '#schemas/billing-subscription.ts';
import type { Contract } from '#schemas/contract.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { customerOf } from '#tests/support/billing.ts';
import { sandbox } from '#tests/support/mails.ts';
import { provider } from '#tests/support/provider.ts';
import { storedItems } from '#tests/support/table.ts';

export const none = 'No active subscription found';

export type SubscriptionWorld = Awaited<ReturnType<typeof subscriptionWorld>>;

/** Creates an organization and reads its subscriptions, at a provider without earlier faults. */
export async function subscriptionWorld() {
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

  return { owner, read, change, atProvider, running, actions };
}
