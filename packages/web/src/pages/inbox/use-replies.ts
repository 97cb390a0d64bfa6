import { useRef } from 'preact/hooks';
import { type Sending, useSend } from '../../frame/data.tsx';
import { useDraft } from '../../frame/drafts.ts';
import { refresh } from '../../frame/queries.ts';
import { useMembership } from '../../frame/session.tsx';
import { type Conversation, client, type ReplyToConversationResponse } from '../../service.ts';

type Reply = { readonly text: string; readonly mediaIds: readonly string[] };

export type Replies = Sending<Reply, ReplyToConversationResponse> & {
  /** The text of the reply field. It survives a reload, and stays until it is sent. */
  readonly draft: string;
  readonly setDraft: (text: string) => void;
};

/**
 * Sends replies from the field, and resends failed messages. Both use the same key for the same
 * text, so that a resend updates the failed message instead of adding one.
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
        // Keeps text that the person typed in the meantime.
        if (current.current.trim() === text) {
          setDraft('');
        }

        return sent;
      } catch (error) {
        // The conversation may now contain the failed message, or the network may have closed it.
        refresh(['inbox']);
        throw error;
      }
    },
    { changes: ['inbox'] },
  );

  return { ...sending, draft, setDraft };
}
