import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import * as webhooks from '#schemas/webhooks.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { drainWork } from '#tests/support/work.ts';

export async function received(name: string) {
  await drainWork();
  const requests = await sandbox.requests({ service: 'hooks' });

  return requests.filter(({ path }) => path.endsWith(name));
}

export type AccountWebhookWorld = Awaited<ReturnType<typeof accountWebhookWorld>>;

/** Creates an organization and manages its accounts' webhooks. */
export async function accountWebhookWorld() {
  const ada = await newAccount();

  function subscribeAccountWebhook(
    { id }: Pick<SocialAccount, 'id'>,
    body: object,
    { token } = ada,
  ) {
    return call(webhooks.subscribeAccountWebhook, { params: { account_id: id }, body, token });
  }

  function listAccountDeliveries({ id }: Pick<SocialAccount, 'id'>) {
    return call(webhooks.listAccountDeliveries, { params: { account_id: id }, token: ada.token });
  }

  function replayAccountDelivery({ id }: Pick<SocialAccount, 'id'>, deliveryId: string) {
    const params = { account_id: id, delivery_id: deliveryId };

    return call(webhooks.replayAccountDelivery, { params, token: ada.token });
  }

  return { ada, subscribeAccountWebhook, listAccountDeliveries, replayAccountDelivery };
}
