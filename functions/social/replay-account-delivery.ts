import { endpoint } from '#lib/http/endpoint.ts';
import { requireSocialAccount } from '#lib/social/accounts.ts';
import { replayDelivery } from '#lib/webhooks/deliveries.ts';
import { replayAccountDelivery } from '#schemas/webhooks.ts';

export const handler = endpoint(replayAccountDelivery, async (request) => {
  const { organizationId, params, once } = request;
  const { account_id: sourceId, delivery_id: deliveryId } = params;
  const delivery = await once(async (alongside) => {
    await requireSocialAccount(organizationId, sourceId);

    return replayDelivery({ organizationId, sourceId, deliveryId }, alongside);
  });

  return { delivery, message: 'Delivery restarted' };
});
