import { endpoint } from '#lib/http/endpoint.ts';
import { requireSocialAccount } from '#lib/social/accounts.ts';
import { replayDelivery } from '#lib/webhooks/deliveries.ts';
import { replayAccountDelivery } from '#schemas/webhooks.ts';

export const handler = endpoint(replayAccountDelivery, async ({ organizationId, params }) => {
  await requireSocialAccount(organizationId, params.account_id);
  const delivery = await replayDelivery({
    organizationId,
    sourceId: params.account_id,
    deliveryId: params.delivery_id,
  });

  return { delivery, message: 'Delivery started again' };
});
