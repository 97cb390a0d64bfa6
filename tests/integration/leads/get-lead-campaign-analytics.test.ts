import { expect, it } from 'vitest';
import { keys } from '#lib/platform/db/keys.ts';
import { put, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { getLeadCampaignAnalytics } from '#schemas/leads.ts';
import { leadSetup } from './setup.ts';

it('getLeadCampaignAnalytics attributes leads to the campaign in their utmCampaign', async () => {
  const world = await leadSetup();
  const id = newId();
  const campaign = { id, name: 'Spring', utmCampaign: 'spring' };
  await write(put(keys.campaign(world.owner.organizationId, id), campaign));
  await world.newLead({ utmCampaign: 'spring', value: 10 });
  await world.newLead({ utmCampaign: 'autumn' });
  expect((await world.ask(getLeadCampaignAnalytics)).body.campaigns).toEqual([
    {
      campaignId: id,
      campaignName: 'Spring',
      leadCount: 1,
      conversionRate: 0,
      averageValue: 10,
      totalValue: 10,
    },
  ]);
});
