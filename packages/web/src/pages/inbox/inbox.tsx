import { useRoute } from 'wouter-preact';
import { Heading } from '../../ui/page.tsx';
import { useMatches } from '../../ui/use-matches.ts';
import { Conversation } from './conversation.tsx';
import { ConversationList } from './conversation-list.tsx';

/** The list, and next to it the conversation if the window is wide enough. */
export function Area() {
  const [, params] = useRoute('/conversations/:id');
  const fitsBoth = useMatches('(width >= 80rem)');
  const id = params?.id;

  return (
    <div class={`inbox ${id ? 'has-conversation' : ''}`}>
      {(fitsBoth || !id) && (
        <section class="inbox-list">
          {id ? <h2>Inbox</h2> : <Heading>Inbox</Heading>}
          <ConversationList currentId={id} />
        </section>
      )}
      {id ? (
        <Conversation key={id} id={id} hasBack={!fitsBoth} />
      ) : (
        fitsBoth && (
          <p class="inbox-nothing quiet">Choose a conversation to read and answer it here.</p>
        )
      )}
    </div>
  );
}
