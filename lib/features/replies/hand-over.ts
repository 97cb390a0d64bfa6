import { planCampaignEvent } from '#lib/features/campaigns/campaign-events.ts';
import { type Conversation, waitingSinceOf } from '#lib/features/conversations/conversation.ts';
import { lastTextOf, quotedSource, withMailed } from '#lib/features/conversations/waiting.ts';
import { listResponsibleUsers } from '#lib/features/organizations/members.ts';
import { timezoneOf } from '#lib/features/organizations/organizations.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import type { Write } from '#lib/platform/db/write.ts';
import { handedOverMail } from '#lib/platform/mail/mails.ts';
import { planMail, type Quote } from '#lib/platform/mail/outgoing-mail.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import { platformNames } from '#lib/vendors/networks/capabilities.ts';
import type { HandoverReason } from '#schemas/conversation-reasons.ts';

/** A conversation after a change, and the related writes besides the conversation's own. */
export type PlannedChange = {
  readonly conversation: Conversation;
  readonly writes: readonly Write[];
};

/**
 * Plans that people take over a conversation: its fields, the event and the mails, to be written
 * together with the change. A conversation that people already have gets no second event. Until a
 * person has read or answered it, it gets no second mail.
 */
export async function planHandOver(
  conversation: Conversation,
  reason: HandoverReason,
): Promise<PlannedChange> {
  const { handedOverAt, handOverMailedAt } = conversation;
  if (handedOverAt && handOverMailedAt) {
    return { conversation, writes: [] };
  }
  const now = timestamp();
  const after = {
    ...conversation,
    handedOverAt: now,
    handOverMailedAt: handOverMailedAt ?? now,
  };
  const [event, mails] = await Promise.all([
    planEvent(after, reason),
    handOverMailedAt ? { conversation: after, writes: [] } : planMails(after, reason),
  ]);

  return { ...mails, writes: [...event, ...mails.writes] };
}

/** The data of events about a waiting customer. */
export function waitingData(conversation: Conversation) {
  const { id: conversationId, customer, lastMessage, assigneeId } = conversation;

  return {
    conversationId,
    customer,
    lastMessage: lastMessage ?? null,
    waitingSince: waitingSinceOf(conversation) ?? null,
    assignedToId: assigneeId ?? null,
  };
}

/** Notifies the webhooks of the organization and of the campaign. */
async function planEvent(
  conversation: Conversation,
  reason: HandoverReason,
): Promise<readonly Write[]> {
  const { organizationId, campaignId } = conversation;
  const type = 'conversation.handed_over';
  const data = {
    campaignId: campaignId ?? null,
    reason,
    ...waitingData(conversation),
  };
  const planned = await Promise.all([
    planOrganizationEvent(organizationId, { type, data }),
    campaignId ? planCampaignEvent(organizationId, campaignId, { type, data }) : [],
  ]);

  return planned.flat();
}

/** If a message was edited or withdrawn since, the mail is sent without message texts. */
function quoteOf(
  conversation: Conversation,
  about: Omit<Parameters<typeof handedOverMail>[0], 'lastText'>,
): Quote {
  return {
    sources: [quotedSource(conversation)],
    instead: handedOverMail({ ...about, lastText: undefined }),
  };
}

async function planMails(
  conversation: Conversation,
  reason: HandoverReason,
): Promise<PlannedChange> {
  const { organizationId, id, customer, platform, assigneeId } = conversation;
  const lastText = lastTextOf(conversation);
  const [users, timezone] = await Promise.all([
    listResponsibleUsers(organizationId, 'handedOver', assigneeId),
    timezoneOf(organizationId),
  ]);
  const writes = await Promise.all(
    users.map(({ email }) => {
      const about = {
        to: email,
        conversationId: id,
        customerName: customer.name || customer.id,
        platformName: platformNames[platform],
        reason,
        waitingSince: waitingSinceOf(conversation),
        timezone,
      };

      return planMail(organizationKeys.organization(organizationId), {
        ...handedOverMail({ ...about, lastText }),
        ...(lastText === undefined ? {} : { quote: quoteOf(conversation, about) }),
      });
    }),
  );

  return { conversation: withMailed(conversation, users), writes };
}
