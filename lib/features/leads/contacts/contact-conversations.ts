import type { Conversation } from '#lib/features/conversations/conversation.ts';
import type { ConversationEntry } from '#lib/features/conversations/conversation-entries.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { absent, equals } from '#lib/platform/db/conditions.ts';
import { leadKeys, leadRanges } from '#lib/platform/db/keys/leads.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { change, discard, ensure, put, type Write, write } from '#lib/platform/db/write.ts';
import { notFound } from '#lib/platform/errors/failures.ts';

const pageSize = 100;
const movedAtOnce = 8;

/** Plans that a conversation belongs to a contact, and no longer to its former contact. */
export function planContactOf(
  { organizationId, id, leadContactId: formerId }: Conversation,
  contactId: string,
): readonly Write[] {
  const entry: ConversationEntry = { conversationId: id };

  return [
    ...(formerId && formerId !== contactId
      ? [discard(leadKeys.contactConversation(organizationId, formerId, id))]
      : []),
    put(leadKeys.contactConversation(organizationId, contactId, id), entry),
  ];
}

/**
 * Moves all conversations of a contact to another contact, or to none. Returns when none are left,
 * so it can be interrupted and restarted.
 *
 * @throws ConditionNotMetError on a concurrent change.
 */
export async function moveConversations(
  organizationId: string,
  formerId: string,
  contactId?: string,
): Promise<void> {
  const range = leadRanges.contactConversations(organizationId, formerId);
  for (;;) {
    const entries = await query<ConversationEntry>(range, { limit: pageSize });
    if (entries.length === 0) {
      return;
    }
    await atMostAtOnce(movedAtOnce, entries, ({ conversationId }) =>
      moveConversation(organizationId, conversationId, formerId, contactId),
    );
  }
}

async function moveConversation(
  organizationId: string,
  conversationId: string,
  formerId: string,
  contactId: string | undefined,
): Promise<void> {
  const key = socialKeys.conversation(organizationId, conversationId);
  const former = leadKeys.contactConversation(organizationId, formerId, conversationId);
  const conversation = await get<Conversation>(key);
  if (conversation?.leadContactId !== formerId) {
    await write(discard(former));

    return;
  }
  await write(
    change(key, {
      set: { leadContactId: contactId ?? null },
      when: equals('leadContactId', formerId),
    }),
    ...(contactId
      ? [
          ...planContactOf(conversation, contactId),
          ensure(leadKeys.contact(organizationId, contactId), {
            when: absent('erasureId'),
            onConditionFailed: () => notFound('Contact'),
          }),
        ]
      : [
          discard(former),
          // A contact that has a lead again keeps its conversations.
          ensure(leadKeys.contact(organizationId, formerId), { when: equals('leadCount', 0) }),
        ]),
  );
}
