import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { planAnswerCounts } from '#lib/features/ai/answer-counts.ts';
import { write } from '#lib/platform/db/write.ts';
import { createInteractiveTemplate } from '#schemas/ai.ts';
import { convertConversation, createLeadWithContact, updateLead } from '#schemas/leads.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { campaignSetup } from './setup.ts';

const world = await campaignSetup();

describe('campaign statistics', () => {
  it("count the leads of its conversations, the leads with its utmCampaign, and its agents' activity", async () => {
    const utmCampaign = randomUUID();
    const { id, pipelineId } = await world.office.newCampaign({
      utmCampaign,
      agentConfigs: [{ channel: 'COMMENT', promptTemplateId: world.templateId }],
    });
    const conversation = await storeConversation(world.office.organizationId, {
      campaignId: id,
    });
    const fromConversation = await world.office.ask(convertConversation, {
      body: { conversationId: conversation.id, pipelineId, source: 'facebook' },
    });
    await world.office.ask(createLeadWithContact, {
      body: {
        pipelineId,
        contact: { name: 'Ada', email: freshEmail() },
        source: 'website',
        utmCampaign,
      },
    });
    await world.office.ask(updateLead, {
      params: { lead_id: fromConversation.body.lead.id },
      body: { status: 'CONVERTED' },
    });
    const done = { interactions: 5, uses: 2, responseMs: 3_000 };
    await write(planAnswerCounts(world.office.organizationId, 'CAMPAIGN', id, done));
    const listed = (await world.listCampaigns({ search: 'Spring' })).body.campaigns;

    expect((await world.getCampaign(id)).body.campaign).toMatchObject({
      leadCount: 2,
      conversionRate: 50,
      totalInteractions: 5,
      averageResponseTime: 1.5,
      agentConfigs: [
        {
          promptTemplate: { id: world.templateId, content: 'You answer for {{companyName}}.' },
        },
      ],
    });
    expect(listed.find((campaign: { id: string }) => campaign.id === id)).toMatchObject({
      leadCount: 2,
      conversionRate: 50,
    });
  });

  it("contain an agent's template of either kind", async () => {
    const variant = await world.office.ask(createInteractiveTemplate, {
      body: { name: randomUUID(), templateContent: 'Hello' },
    });
    const { id } = await world.office.newCampaign({
      agentConfigs: [{ channel: 'POST', promptTemplateId: variant.body.interactiveTemplate.id }],
    });

    expect(
      (await world.getCampaign(id)).body.campaign.agentConfigs[0].promptTemplate,
    ).toMatchObject({
      id: variant.body.interactiveTemplate.id,
      content: 'Hello',
    });
  });
});
