import { useRef } from 'preact/hooks';
import { type Sending, useSend } from '../../frame/data.tsx';
import { useDraft } from '../../frame/drafts.ts';
import { refresh } from '../../frame/queries.ts';
import { useMembership } from '../../frame/session.tsx';
import { type Conversation, client, type ReplyToConversationResponse } from '../../service.ts';

type Reply = { readonly text: string; readonly mediaIds: readonly string[] };

export type Replies = Sending<Reply, ReplyToConversationResponse> & {
  /** The text of the field. It survives a reload, and stays until it has been sent. */
  readonly draft: string;
  readonly setDraft: (text: string) => void;
};

/**
 * Sends replies, from the field and from `Send again` of messages that failed. Both share it, so
 * that the same text is the same message, whose status changes, rather than another one.
 */
export function useReplies({ id: conversationId }: Conversation): Replies {
  const { id: organizationId } = useMembership();
  const [draft, setDraft] = useDraft(`reply:${conversationId}`);
  const current = useRef(draft);
  current.current = draft;
  const sending = useSend(
    async ({ text, mediaIds }: Reply, options) => {
      try {
        const sent = await client.ai.replyToConversation(
          {
            organizationId,
            conversationId,
            ...(text === '' ? {} : { message: text }),
            ...(mediaIds.length > 0 ? { mediaIds } : {}),
          },
          options,
        );
        // Keeps text that was typed in the meantime.
        if (current.current.trim() === text) {
          setDraft('');
        }

        return sent;
      } catch (error) {
        // The message can be there, as failed, and the network can have closed the conversation.
        refresh(['inbox']);
        throw error;
      }
    },
    { changes: ['inbox'] },
  );

  return { ...sending, draft, setDraft };
}
