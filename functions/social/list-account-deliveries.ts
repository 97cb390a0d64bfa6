import { requireSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listDeliveries } from '#lib/platform/webhooks/delivery.ts';
import { listAccountDeliveries } from '#schemas/webhooks.ts';

export const handler = endpoint(
  listAccountDeliveries,
  async ({ organizationId, params, query }) => {
    const [{ items, pagination }] = await Promise.all([
      listDeliveries(organizationId, params.account_id, query),
      requireSocialAccount(organizationId, params.account_id),
    ]);

    return { deliveries: items, pagination };
  },
);
