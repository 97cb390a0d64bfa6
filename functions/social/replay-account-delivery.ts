import { requireSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { replayDelivery } from '#lib/platform/webhooks/change-delivery.ts';
import { replayAccountDelivery } from '#schemas/webhooks.ts';

export const handler = endpoint(replayAccountDelivery, async (request) => {
  const { organizationId, params, idempotently } = request;
  const { account_id: sourceId, delivery_id: deliveryId } = params;
  const delivery = await idempotently(async (extraWrites) => {
    await requireSocialAccount(organizationId, sourceId);

    return replayDelivery({ organizationId, sourceId, deliveryId }, extraWrites);
  });

  return { delivery };
});
