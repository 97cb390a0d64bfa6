import { planAnswerCounts } from '#lib/features/ai/answer-counts.ts';
import { withLink } from '#lib/features/attribution/attribution.ts';
import { planClickAttribution } from '#lib/features/attribution/attribution-counters.ts';
import { findCampaign } from '#lib/features/campaigns/campaign.ts';
import type { Conversation } from '#lib/features/conversations/conversation.ts';
import {
  findConversation,
  planConversationChange,
} from '#lib/features/conversations/conversations.ts';
import { planActivity } from '#lib/features/leads/activities.ts';
import type { Lead } from '#lib/features/leads/lead.ts';
import { planLeadClickedEvents } from '#lib/features/leads/lead-events.ts';
import { planLeadLink } from '#lib/features/leads/update-lead.ts';
import { cutToLength } from '#lib/platform/characters.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { absent } from '#lib/platform/db/conditions.ts';
import { campaignKeys } from '#lib/platform/db/keys/campaigns.ts';
import { contentKeys } from '#lib/platform/db/keys/content.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, ensure, type Write, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import type { WorkPayload } from '#schemas/messages.ts';
import type { PersonalLink } from './personal-links.ts';

type Click = Extract<WorkPayload<'bioClick'>, { readonly conversationId: string }>;

const maxDescription = 500;

/**
 * Counts the claimed click of a link for its campaign, post, conversation and lead, and notifies
 * webhooks. Idempotent, because the link is marked as counted in the same transaction. After an
 * erasure, the link does not exist, and nothing is counted.
 */
export async function countPersonalClick(click: Click): Promise<'done'> {
  const { organizationId, conversationId, linkId } = click;
  const key = socialKeys.personalLink(organizationId, conversationId, linkId);

  await retryWhenOvertaken('link', async () => {
    const [link, conversation] = await Promise.all([
      get<PersonalLink>(key),
      findConversation(organizationId, conversationId),
    ]);
    if (link && !link.isCounted && conversation) {
      await write(
        change(key, { set: { isCounted: true }, when: absent('isCounted') }),
        ...(await planClick(conversation, link)),
      );
    }
  });

  return 'done';
}

async function planClick(
  conversation: Conversation,
  link: PersonalLink,
): Promise<readonly Write[]> {
  const { organizationId, id, leadId, clickedAt: knownClick } = conversation;
  const { campaignId, postId, attribution, clickedAt = timestamp() } = link;
  const postKey = postId ? contentKeys.contentPost(organizationId, postId) : undefined;
  const [lead, campaign, post, attributed] = await Promise.all([
    leadId ? get<Lead & Key>(leadKeys.lead(organizationId, leadId)) : undefined,
    findCampaign(organizationId, campaignId),
    postKey && get(postKey),
    findConversation(organizationId, link.attributedId),
  ]);
  const firstClick = change(socialKeys.conversation(organizationId, id), {
    set: { clickedAt },
    when: absent('clickedAt'),
  });

  return [
    ...(knownClick === undefined ? [firstClick] : []),
    ...planClickAttribution({ organizationId, id, at: clickedAt, attribution }),
    ...(attributed ? planAttributedLink(attributed, link.url) : []),
    ...(lead ? await planLeadClick(lead, conversation, { ...link, clickedAt }) : []),
    ...(campaign
      ? [
          ensure(campaignKeys.campaign(organizationId, campaignId)),
          planAnswerCounts(organizationId, 'CAMPAIGN', campaignId, { clicks: 1 }),
        ]
      : []),
    ...(postKey && post ? [change(postKey, { add: { linkClicks: 1 } })] : []),
  ];
}

/**
 * Attributes the conversation in which the keyword matched to the link, unless it already has a
 * link.
 */
function planAttributedLink(conversation: Conversation, url: string): readonly Write[] {
  const { attribution } = conversation;

  return attribution && attribution.link === undefined
    ? planConversationChange(conversation, {
        ...conversation,
        attribution: withLink(attribution, url),
        updatedAt: timestamp(),
      })
    : [];
}

async function planLeadClick(
  lead: Lead & Key,
  { id: conversationId }: Conversation,
  { url, campaignId, postId, clickedAt }: PersonalLink & { readonly clickedAt: string },
): Promise<readonly Write[]> {
  const { organizationId, id: leadId } = lead;
  const clicked = { campaignId, conversationId, url };

  return [
    ...planLeadLink(lead, url),
    planActivity(organizationId, {
      id: newId(),
      leadId,
      type: 'LINK_CLICKED',
      description: cutToLength(`Followed the link ${url}`, maxDescription),
      metadata: { ...clicked, contentPostId: postId ?? null },
      createdAt: clickedAt,
    }),
    ...(await planLeadClickedEvents(lead, clicked)),
  ];
}
