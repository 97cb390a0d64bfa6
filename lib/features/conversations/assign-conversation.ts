import { findNotifiedAddress } from '#lib/features/organizations/members.ts';
import { fullName, requireUser } from '#lib/features/users/users.ts';
import { differs } from '#lib/platform/db/conditions.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { discard, type ExtraWrites, ensure, type Write, write } from '#lib/platform/db/write.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import { findMembership, type Membership } from '#lib/platform/identity/identity.ts';
import { assignedMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { organizationEventPlanner } from '#lib/platform/webhooks/organization-events.ts';
import { platformNames } from '#lib/vendors/networks/capabilities.ts';
import { assignedTo, isAssignable, planAssignment } from './assignments.ts';
import type { Conversation } from './conversation.ts';
import { requireConversation } from './conversations.ts';

type Assignment = {
  /** Null removes the assignment. */
  readonly userId: string | null;
  readonly actorId: string;
};

/**
 * Assigns a conversation to a member. Emails the member, unless they did it themselves.
 *
 * @throws 404; 400 for a viewer or a user who is not a member.
 */
export function assignConversation(
  organizationId: string,
  conversationId: string,
  { userId, actorId }: Assignment,
  extraWrites: ExtraWrites<Conversation>,
): Promise<Conversation> {
  return retryWhenOvertaken('conversation', async () => {
    const [before, member, planEvents] = await Promise.all([
      requireConversation(organizationId, conversationId),
      userId === null ? undefined : requireAssignable(organizationId, userId),
      organizationEventPlanner(organizationId),
    ]);
    const { assigneeId: formerId } = before;
    if ((formerId ?? null) === userId) {
      return before;
    }
    const after = assignedTo(before, userId);
    await write(
      ...(await extraWrites(after)),
      ...(member ? [planStillAssignable(member)] : []),
      ...planAssignment(before, after, planEvents),
      ...(formerId
        ? [discard(socialKeys.assignment(organizationId, formerId, conversationId))]
        : []),
      ...(member && userId !== actorId ? await planMails(after, member, actorId) : []),
    );

    return after;
  });
}

function notAssignable() {
  return badRequest('userId must be a member of the organization who is not a VIEWER');
}

async function requireAssignable(organizationId: string, userId: string): Promise<Membership> {
  const member = await findMembership(organizationId, userId);
  if (!member || !isAssignable(member)) {
    throw notAssignable();
  }

  return member;
}

/** If a member leaves concurrently, the assignment is either removed or rejected. */
function planStillAssignable({ organizationId, userId }: Membership): Write {
  return ensure(organizationKeys.member(organizationId, userId), {
    when: differs('role', 'VIEWER'),
    onConditionFailed: notAssignable,
  });
}

async function planMails(
  { organizationId, id, customer, platform }: Conversation,
  member: Membership,
  actorId: string,
): Promise<readonly Write[]> {
  const [to, assigner] = await Promise.all([
    findNotifiedAddress(member, 'assigned'),
    requireUser(actorId),
  ]);
  if (!to) {
    return [];
  }
  const mail = assignedMail({
    to,
    assignerName: fullName(assigner),
    what: 'conversation',
    id,
    customerName: customer.name || customer.id,
    platformName: platformNames[platform],
  });

  return [await planMail(organizationKeys.organization(organizationId), mail)];
}
