import { planUsageCount } from '#lib/features/ai/usage.ts';
import { findCampaign } from '#lib/features/campaigns/campaign.ts';
import { planCampaignEvent } from '#lib/features/campaigns/campaign-events.ts';
import { planActivity } from '#lib/features/leads/activities.ts';
import type { Conversation, Message } from '#lib/features/social/conversations/conversation.ts';
import { cutToLength } from '#lib/platform/characters.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { ensure, type Write } from '#lib/platform/db/write.ts';

const maxDescription = 500;

/** Notifies the campaign's webhook receiver, if there is one, of a sent reply. */
export function planSentEvent(
  { organizationId, channel, customer }: Conversation,
  { id: messageId, conversationId, author, text }: Message,
  campaignId: string | undefined,
): Promise<readonly Write[]> {
  const data = { channel, conversationId, messageId, author, customer, text, sentAt: timestamp() };

  return campaignId
    ? planCampaignEvent(organizationId, campaignId, { type: 'message.sent', data })
    : Promise.resolve([]);
}

/** Adds a sent message to the lead's activities. A deleted lead gets none. */
export async function planSentActivity(
  { organizationId, channel }: Conversation,
  { id, text, author }: Message,
  leadId: string | undefined,
): Promise<readonly Write[]> {
  const lead = leadId ? await get(keys.lead(organizationId, leadId)) : undefined;

  return lead && leadId
    ? [
        ensure(lead),
        planActivity(organizationId, {
          id,
          leadId,
          type: 'MESSAGE_SENT',
          description: cutToLength(text, maxDescription),
          metadata: { messageId: id, channel, author },
          createdAt: timestamp(),
        }),
      ]
    : [];
}

/** Plans what follows a person's reply: the notification, the lead's activity and the metrics. */
export async function planSentByPerson(
  conversation: Conversation,
  message: Message,
): Promise<readonly Write[]> {
  const { organizationId, matchedCampaignId, leadId } = conversation;
  const [campaign, told, activity] = await Promise.all([
    matchedCampaignId ? findCampaign(organizationId, matchedCampaignId) : undefined,
    planSentEvent(conversation, message, matchedCampaignId),
    planSentActivity(conversation, message, leadId),
  ]);
  const counted = campaign
    ? [planUsageCount(organizationId, 'CAMPAIGN', campaign.id, { interactions: 1 })]
    : [];

  return [...told, ...activity, ...counted];
}
