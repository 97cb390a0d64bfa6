import { planCampaignEvent } from '#lib/features/campaigns/campaign-events.ts';
import { listResponsibleAddresses } from '#lib/features/organizations/members.ts';
import { timezoneOf } from '#lib/features/organizations/organizations.ts';
import { waitingSinceOf } from '#lib/features/social/conversations/attention.ts';
import type { Conversation } from '#lib/features/social/conversations/conversation.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import type { Write } from '#lib/platform/db/write.ts';
import { handedOverMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import { platformNames } from '#lib/vendors/networks/capabilities.ts';
import type { HandoverReason, StopReason } from '#schemas/conversations.ts';

/** Other reasons are temporary or were chosen by people, so nobody is notified. */
const notifying = {
  AI_UNAVAILABLE: true,
  NO_CREDITS: true,
  MAX_RESPONSES: true,
  NO_TEXT: true,
  UNSAFE_ANSWER: true,
} as const satisfies Partial<Record<StopReason, true>>;

/** Returns the reason if the agent's stop hands the conversation over to people. */
export function handoverReasonOf(reason: StopReason | undefined): HandoverReason | undefined {
  return reason !== undefined && reason in notifying
    ? (reason as keyof typeof notifying)
    : undefined;
}

type HandOver = { readonly conversation: Conversation; readonly writes: readonly Write[] };

/**
 * Plans that people take care of a conversation: its fields, the event and the mails, to be written
 * with the change itself. A conversation that people already have gets no second event. Until a
 * person has read or answered it, it gets no second mail.
 */
export async function planHandOver(
  conversation: Conversation,
  reason: HandoverReason,
): Promise<HandOver> {
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
    handOverMailedAt ? [] : planMails(after, reason),
  ]);

  return { conversation: after, writes: [...event, ...mails] };
}

/** Notifies the webhooks of the organization and of the campaign. */
async function planEvent(
  conversation: Conversation,
  reason: HandoverReason,
): Promise<readonly Write[]> {
  const { organizationId, id: conversationId, matchedCampaignId, customer } = conversation;
  const { lastMessage, assigneeId } = conversation;

  const type = 'conversation.handed_over';
  const data = {
    campaignId: matchedCampaignId ?? null,
    conversationId,
    reason,
    customer,
    lastMessage: lastMessage ?? null,
    waitingSince: waitingSinceOf(conversation) ?? null,
    assignedToId: assigneeId ?? null,
  };
  const planned = await Promise.all([
    planOrganizationEvent(organizationId, { type, data }),
    matchedCampaignId ? planCampaignEvent(organizationId, matchedCampaignId, { type, data }) : [],
  ]);

  return planned.flat();
}

async function planMails(
  conversation: Conversation,
  reason: HandoverReason,
): Promise<readonly Write[]> {
  const { organizationId, id, customer, platform, lastMessage, assigneeId } = conversation;
  const [addresses, timezone] = await Promise.all([
    listResponsibleAddresses(organizationId, 'handedOver', assigneeId),
    timezoneOf(organizationId),
  ]);

  return Promise.all(
    addresses.map((to) =>
      planMail(
        keys.organization(organizationId),
        handedOverMail({
          to,
          conversationId: id,
          customerName: customer.name || customer.id,
          platformName: platformNames[platform],
          reason,
          waitingSince: waitingSinceOf(conversation),
          timezone,
          lastText: lastMessage?.author === 'CUSTOMER' ? lastMessage.text : undefined,
        }),
      ),
    ),
  );
}
