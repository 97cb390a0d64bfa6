import { randomUUID } from 'node:crypto';
import { savedReplies } from '#lib/features/ai/saved-replies.ts';
import { createSegment } from '#lib/features/leads/segments.ts';
import { noExtraWrites } from '#lib/platform/db/write.ts';
import { createCampaign } from '#schemas/campaigns.ts';
import { createContentPost } from '#schemas/content.ts';
import { assignConversation } from '#schemas/conversations.ts';
import { convertConversation, updateLead } from '#schemas/leads.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { exampleOf } from '#scripts/fixtures/fields.ts';
import type { Values } from '#scripts/fixtures/fixture.ts';
import { bodyOf } from '#scripts/fixtures/fixtures.ts';
import { storeSource } from '#scripts/fixtures/knowledge.ts';
import { storeMedia } from '#scripts/fixtures/media.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import type { World } from '#scripts/fixtures/world.ts';
import { defaultCardOf } from '#tests/support/billing.ts';
import { ask } from './ask.ts';

/**
 * Creates linked resources, so that a filter by one of them finds another. Returns their ids by
 * field and filter name.
 */
export async function linkedThings(world: World): Promise<Values> {
  const { organizationId, names, people } = world;
  const name = names[0] ?? '';
  const account = await connectedAccount(organizationId, { platformUserName: name });
  const { campaign } = (
    await ask(world, createCampaign, {
      body: { ...(await bodyOf(createCampaign, world)), socialAccountIds: [account.id] },
    })
  ).body;
  const { contentPost } = (
    await ask(world, createContentPost, {
      body: { socialAccountId: account.id, platform: account.platform, content: name },
    })
  ).body;
  const conversation = await storeConversation(organizationId, {
    socialAccountId: account.id,
    campaignId: campaign.id,
    postId: contentPost.id,
    customer: { id: randomUUID(), name },
  });
  const { lead, contact } = (
    await ask(world, convertConversation, {
      body: {
        ...exampleOf(convertConversation.body),
        conversationId: conversation.id,
        pipelineId: campaign.pipelineId,
      },
    })
  ).body;
  const assignedToId = people.MEMBER.userId;
  await ask(world, updateLead, { params: { lead_id: lead.id }, body: { assignedToId } });
  await ask(world, assignConversation, {
    params: { conversation_id: conversation.id },
    body: { userId: assignedToId },
  });

  const { id: sourceId } = await storeSource(organizationId);
  const { id: savedReplyId } = await savedReplies.create(
    organizationId,
    { name: randomUUID(), text: name },
    noExtraWrites,
  );

  const { id: segmentId } = await createSegment(
    organizationId,
    { name: randomUUID(), filter: {} },
    noExtraWrites,
  );

  return {
    segmentId,
    savedReplyId,
    sourceId,
    knowledgeSourceId: sourceId,
    accountId: account.id,
    socialAccountId: account.id,
    campaignId: campaign.id,
    conversationId: conversation.id,
    pipelineId: campaign.pipelineId,
    contentPostId: contentPost.id,
    stageId: lead.stageId,
    leadId: lead.id,
    mediaId: (await storeMedia(organizationId)).id,
    contactId: contact.id,
    assignedToId,
    paymentMethodId: await defaultCardOf(organizationId),
  };
}
