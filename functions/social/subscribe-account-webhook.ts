import { subscribeToAccount } from '#lib/features/social/accounts/account-webhook.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { publicUrlProblems } from '#lib/platform/outbound/public-url.ts';
import { subscribeAccountWebhook } from '#schemas/webhooks.ts';

export const handler = endpoint(
  subscribeAccountWebhook,
  async ({ organizationId, caller, params, body, idempotently }) => {
    const { webhook, verifyToken, secret } = await idempotently((extraWrites) =>
      subscribeToAccount(organizationId, caller.userId, params.account_id, body, extraWrites),
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
  { rules: ({ body }) => publicUrlProblems('webhookUrl', body.webhookUrl) },
);
