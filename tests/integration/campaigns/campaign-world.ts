import * as campaigns from '#schemas/campaigns.ts';
import { newOffice } from './world.ts';

export const unknownId = '0192f0c6-5e6f-7798-a9ba-7f8091a2b3c4';

export type CampaignWorld = Awaited<ReturnType<typeof campaignWorld>>;

/** Creates an organization with a prompt template for campaigns. */
export async function campaignWorld() {
  const office = await newOffice();
  const templateId = await office.newTemplate();

  function updateCampaign(campaignId: string, body: object) {
    return office.ask(campaigns.updateCampaign, { params: { campaign_id: campaignId }, body });
  }

  function getCampaign(campaignId: string) {
    return office.ask(campaigns.getCampaign, { params: { campaign_id: campaignId } });
  }

  function listCampaigns(query: Record<string, string>) {
    return office.ask(campaigns.listCampaigns, { query });
  }

  return { office, templateId, updateCampaign, getCampaign, listCampaigns };
}
