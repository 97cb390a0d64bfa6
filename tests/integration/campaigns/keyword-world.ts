import * as campaigns from '#schemas/campaigns.ts';
import { newOffice } from './world.ts';

export type KeywordWorld = Awaited<ReturnType<typeof keywordWorld>>;

/** Creates an organization whose campaigns claim keywords. */
export async function keywordWorld() {
  const office = await newOffice();

  function updateCampaign(campaignId: string, body: object, own = office) {
    return own.ask(campaigns.updateCampaign, { params: { campaign_id: campaignId }, body });
  }

  return { office, updateCampaign };
}
