import { describe, expect, it } from 'vitest';
import { deletePromptTemplate } from '#schemas/ai.ts';
import * as campaigns from '#schemas/campaigns.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { newMember } from '#tests/support/accounts.ts';
import { lastingItems } from '#tests/support/table.ts';
import { campaignSetup, keyword, newWord } from './setup.ts';

const world = await campaignSetup();

function remove(campaignId: string, token = world.office.owner.token) {
  return world.office.ask(campaigns.deleteCampaign, { params: { campaign_id: campaignId }, token });
}

describe('a campaign', () => {
  it('can be deleted by an admin, with its keywords and agents', async () => {
    const member = await newMember(world.office.owner, 'MEMBER');
    const word = newWord();
    const own = await world.office.newTemplate();
    const { id } = await world.office.newCampaign({
      keywords: [keyword(word)],
      agentConfigs: ['COMMENT', 'DIRECT_MESSAGE'].map((channel) => ({
        channel,
        promptTemplateId: own,
      })),
    });
    const asTemplate = { params: { template_id: own } };

    expect((await world.office.ask(deletePromptTemplate, asTemplate)).status).toBe(409);
    expect((await remove(id, member.token)).status).toBe(403);
    expect((await remove(id)).status).toBe(200);
    expect((await world.getCampaign(id)).body.message).toBe(
      "Campaign not found or you don't have access",
    );
    expect((await remove(id)).status).toBe(404);
    expect(JSON.stringify(await lastingItems())).not.toContain(word);
    expect((await world.office.ask(deletePromptTemplate, asTemplate)).status).toBe(200);
    const { body } = await world.office.ask(listAuditLog);
    expect(body.entries[0]).toMatchObject({ action: 'campaign.deleted', targetId: id });
  });
});
