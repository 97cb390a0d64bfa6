import { randomUUID } from 'node:crypto';
import { createWebhook, testWebhook } from '#lib/features/organization-webhooks/webhooks.ts';
import { webhookSource } from '#lib/platform/db/keys/webhooks.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, nothingElse, write } from '#lib/platform/db/write.ts';
import { sandbox } from './mails.ts';
import { receiverUrl } from './received-events.ts';

type Details = Partial<Parameters<typeof createWebhook>[2]>;

/** Creates a webhook of an organization. Its receiver is named like its id in the URL. */
export async function storeWebhook(organizationId: string, details: Details = {}) {
  const receiver = randomUUID();
  const { webhook, secret } = await createWebhook(
    organizationId,
    randomUUID(),
    { url: receiverUrl(receiver), events: ['*'], ...details },
    nothingElse,
  );

  return { ...webhook, receiver, webhookSecret: String(secret) };
}

/** Stores a delivery of a webhook whose attempts are used up. */
export async function storeWebhookDelivery(
  organizationId: string,
  webhookId: string,
): Promise<string> {
  const { id } = await testWebhook(organizationId, webhookId, nothingElse);
  await write(
    change(keys.webhookDelivery(organizationId, webhookSource(webhookId), id), {
      set: { status: 'FAILED', nextAttemptAt: null },
    }),
  );

  return id;
}

/** Returns the requests that a receiver got. */
export async function requestsOf(receiver: string) {
  const requests = await sandbox.requests({ service: 'hooks' });

  return requests.filter(({ path }) => path.endsWith(receiver));
}
