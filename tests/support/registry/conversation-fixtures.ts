import { createSavedReply } from '#lib/features/ai/saved-replies.ts';
import { planTrace } from '#lib/features/replies/trace.ts';
import type { Message } from '#lib/features/social/conversations/conversation.ts';
import { createNote } from '#lib/features/social/conversations/notes.ts';
import { nothingElse, write } from '#lib/platform/db/write.ts';
import { storeConversation, storeMessage } from '#tests/support/conversations.ts';
import { storeMedia } from '#tests/support/media.ts';
import { connectedAccount, signedEvent } from '#tests/support/network-events.ts';
import type { Fixtures } from './fixture.ts';
import type { World } from './world.ts';

const aConversation: Fixtures[string] = {
  params: async ({ organizationId, names }: World) => {
    const conversation = await storeConversation(organizationId, {
      customer: { id: crypto.randomUUID(), name: names[0] ?? '' },
    });
    await storeMessage(conversation);

    return { conversation_id: conversation.id };
  },
};

const aNote: Fixtures[string] = {
  params: async (world: World) => {
    const { conversation_id: conversationId = '' } = (await aConversation.params?.(world)) ?? {};
    const { id } = await createNote(
      world.organizationId,
      conversationId,
      { text: world.names[0] ?? '', userId: world.people.OWNER.userId },
      nothingElse,
    );

    return { conversation_id: conversationId, note_id: id };
  },
};

const aSavedReply: Fixtures[string] = {
  params: async ({ organizationId }: World) => {
    const details = { name: crypto.randomUUID(), text: 'Thank you, {{customerName}}!' };
    const { id } = await createSavedReply(organizationId, details, nothingElse);

    return { saved_reply_id: id };
  },
};

/** A conversation in which the agent was stopped. */
const aTracedConversation: Fixtures[string] = {
  params: async ({ organizationId, names }: World) => {
    const conversation = await storeConversation(organizationId, {
      customer: { id: crypto.randomUUID(), name: names[0] ?? '' },
    });
    const { id: messageId, createdAt } = await storeMessage(conversation);
    const entry = {
      messageId,
      type: 'message',
      lost: [],
      isNewLead: false,
      reply: { outcome: 'STOPPED', stopReason: 'NO_CREDITS' },
      createdAt,
      updatedAt: createdAt,
    } as const;
    await write(planTrace(organizationId, conversation.id, entry));

    return { conversation_id: conversation.id };
  },
};

/** A conversation whose account may reply. */
const anOpenConversation: Fixtures[string] = {
  params: async ({ organizationId, names }: World) => {
    const account = await connectedAccount(organizationId);
    const from = { id: crypto.randomUUID(), name: names[0] ?? '' };
    await signedEvent(account, { type: 'message', from });
    const conversation = await storeConversation(organizationId, {
      accountId: account.id,
      customer: from,
    });

    return { conversation_id: conversation.id };
  },
};

/** A customer's comment that the network knows, in the given state. */
function aComment(state: Partial<Message> = {}): Fixtures[string] {
  return {
    params: async ({ organizationId, names }: World) => {
      const account = await connectedAccount(organizationId);
      const from = { id: crypto.randomUUID(), name: names[0] ?? '' };
      const { eventId } = await signedEvent(account, { from });
      const conversation = await storeConversation(organizationId, {
        accountId: account.id,
        channel: 'COMMENT',
        customer: from,
      });
      const message = await storeMessage(conversation, {
        type: 'comment',
        networkMessageId: eventId,
        ...state,
      });

      return { conversation_id: conversation.id, message_id: message.id };
    },
  };
}

export const conversationFixtures: Fixtures = {
  canReplyToConversation: anOpenConversation,
  traceConversation: aTracedConversation,
  replyToConversation: {
    ...anOpenConversation,
    body: async ({ organizationId }) => ({
      savedReplyId: undefined,
      mediaIds: [(await storeMedia(organizationId)).id],
    }),
  },
  getConversation: aConversation,
  listMessages: aConversation,
  hideComment: aComment(),
  unhideComment: aComment({ isHidden: true }),
  likeComment: aComment(),
  unlikeComment: aComment({ isLiked: true }),
  deleteComment: aComment(),
  pauseConversation: aConversation,
  resumeConversation: aConversation,
  readConversation: aConversation,
  closeConversation: aConversation,
  assignConversation: {
    ...aConversation,
    body: async ({ people }) => ({ userId: people.MEMBER.userId }),
  },
  createNote: aConversation,
  listNotes: aNote,
  deleteNote: aNote,
  updateSavedReply: { ...aSavedReply, body: async () => ({ name: crypto.randomUUID() }) },
  deleteSavedReply: aSavedReply,
  rateConversation: aConversation,
};
