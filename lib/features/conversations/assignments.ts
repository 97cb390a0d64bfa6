import { timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { socialKeys, socialRanges } from '#lib/platform/db/keys/social.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { put, remove, type Write, write } from '#lib/platform/db/write.ts';
import { findMembership, type Membership } from '#lib/platform/identity/identity.ts';
import {
  type EventPlanner,
  organizationEventPlanner,
} from '#lib/platform/webhooks/organization-events.ts';
import type { WorkOutcome, WorkRequest } from '#lib/platform/work/worker.ts';
import { ranksAtLeast } from '#schemas/contract.ts';
import { type Conversation, presentConversation } from './conversation.ts';
import { findConversation, planConversationChange } from './conversations.ts';

/** An entry in the list of a member's conversations. When the member leaves, it finds them. */
type Assignment = { readonly conversationId: string; readonly assignedAt: string };

/** True if conversations can be assigned to the member. */
export function isAssignable(member: Membership | undefined): boolean {
  return member !== undefined && ranksAtLeast(member.role, 'MEMBER');
}

/** Returns the conversation assigned to this member, or to nobody. */
export function assignedTo(
  { assigneeId: _, ...conversation }: Conversation,
  userId: string | null,
): Conversation {
  return {
    ...conversation,
    ...(userId === null ? {} : { assigneeId: userId }),
    updatedAt: timestamp(),
  };
}

/** Plans a changed assignment with its event. The former assignment is removed with `release`. */
export function planAssignment(
  before: Conversation,
  after: Conversation,
  planEvents: EventPlanner,
): readonly Write[] {
  const { organizationId, id, assigneeId } = after;
  const assignment: Assignment = { conversationId: id, assignedAt: after.updatedAt };

  return [
    ...planConversationChange(before, after),
    ...(assigneeId ? [put(socialKeys.assignment(organizationId, assigneeId, id), assignment)] : []),
    ...planEvents([
      {
        type: 'conversation.assigned',
        data: {
          conversationId: id,
          conversation: presentConversation(after),
          assignedToId: assigneeId ?? null,
        },
      },
    ]),
  ];
}

const pageSize = 100;
const removedAtOnce = 8;
/** A page takes a few seconds. The function must not time out in the middle of one. */
const reserveMs = 15_000;

/**
 * Removes the assignments of a member who left or became a viewer. A member who came back keeps
 * assignments that were made since. Each removal is a transaction, so this can be interrupted.
 */
export async function removeAssignments({
  payload: { organizationId, userId, endedAt },
  remainingMs,
}: WorkRequest<'assignmentRemoval'>): Promise<WorkOutcome> {
  const range = socialRanges.assignments(organizationId, userId);
  const [isBack, planEvents] = await Promise.all([
    findMembership(organizationId, userId).then(isAssignable),
    organizationEventPlanner(organizationId),
  ]);
  let after: string | undefined;
  for (;;) {
    const page = await query<Assignment>(range, {
      limit: pageSize,
      ...(after === undefined ? {} : { after }),
    });
    const ended = page.filter(({ assignedAt }) => !isBack || assignedAt <= endedAt);
    await atMostAtOnce(removedAtOnce, ended, (assignment) =>
      removeAssignment(organizationId, userId, assignment, planEvents),
    );
    const lastRead = page.at(-1);
    if (!lastRead || page.length < pageSize) {
      return 'done';
    }
    after = lastRead.sk;
    if (remainingMs() < reserveMs) {
      return 'unfinished';
    }
  }
}

/** Does nothing if the conversation was assigned again since the assignment was read. */
async function removeAssignment(
  organizationId: string,
  userId: string,
  { conversationId, assignedAt }: Assignment,
  planEvents: EventPlanner,
): Promise<void> {
  const key = socialKeys.assignment(organizationId, userId, conversationId);
  const release = remove(key, { when: equals('assignedAt', assignedAt) });
  await retryWhenOvertaken('conversation', async () => {
    const [before, current] = await Promise.all([
      findConversation(organizationId, conversationId),
      get<Assignment>(key),
    ]);
    if (current?.assignedAt !== assignedAt) {
      return;
    }
    await (before?.assigneeId === userId
      ? write(...planAssignment(before, assignedTo(before, null), planEvents), release)
      : write(release));
  });
}
