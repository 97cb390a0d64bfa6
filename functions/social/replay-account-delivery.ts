import { endpoint } from '#lib/http/endpoint.ts';
import { requireSocialAccount } from '#lib/social/accounts.ts';
import { replayDelivery } from '#lib/webhooks/deliveries.ts';
import { replayAccountDelivery } from '#schemas/webhooks.ts';

export const handler = endpoint(replayAccountDelivery, async (request) => {
  const { organizationId, params, once } = request;
  const { account_id: sourceId, delivery_id: deliveryId } = params;
  await requireSocialAccount(organizationId, sourceId);
  const delivery = await once((alongside) =>
    replayDelivery({ organizationId, sourceId, deliveryId }, alongside),
  );

  return { delivery, message: 'Delivery started again' };
});
