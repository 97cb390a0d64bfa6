import { describe, expect, it } from 'vitest';
import * as campaigns from '#schemas/campaigns.ts';
import { storeFailedDelivery } from '#scripts/fixtures/webhooks.ts';
import { campaignSetup, unknownId } from './setup.ts';

const world = await campaignSetup();

describe("a campaign's webhook", () => {
  it('can be sent an event again', async () => {
    const { id } = await world.office.newCampaign();
    const delivery_id = await storeFailedDelivery(world.office.organizationId, id);
    const replay = (campaign_id: string) =>
      world.office.ask(campaigns.replayCampaignDelivery, { params: { campaign_id, delivery_id } });

    expect((await replay(id)).body.delivery).toMatchObject({ id: delivery_id, status: 'PENDING' });
    expect((await replay(id)).status).toBe(409);
    expect((await replay(unknownId)).body.message).toBe(
      "Campaign not found or you don't have access",
    );
    const unknown = await world.office.ask(campaigns.replayCampaignDelivery, {
      params: { campaign_id: id, delivery_id: unknownId },
    });
    expect(unknown.status).toBe(404);
  });
});
