import { subscribeToAccount } from '#lib/features/social/accounts/account-webhook.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { subscribeAccountWebhook } from '#schemas/webhooks.ts';

export const handler = endpoint(
  subscribeAccountWebhook,
  async ({ organizationId, caller, params, body, once }) => {
    const { webhook, verifyToken, secret } = await once((alongside) =>
      subscribeToAccount(organizationId, caller.userId, params.account_id, body, alongside),
    );
    const { id, sourceId, url, events, isActive, createdAt } = webhook;

    return {
      webhook: {
        id,
        socialAccountId: sourceId,
        webhookUrl: url,
        events,
        verifyToken,
        isActive,
        createdAt,
        webhookSecret: secret,
      },
    };
  },
);
