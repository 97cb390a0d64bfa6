import { ArrowLeft } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Failures, Loaded, useGetByLink, useSend } from '../../frame/data.tsx';
import { useCan, useMembership, useUser } from '../../frame/session.tsx';
import { client, type Conversation as Found, type GetConversationResponse } from '../../service.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Menu } from '../../ui/menu.tsx';
import { For, Heading } from '../../ui/page.tsx';
import { Failed } from '../../ui/states.tsx';
import { Composer } from './composer.tsx';
import { Customer } from './customer.tsx';
import { useFilters } from './filters.ts';
import { useMembers } from './members.ts';
import { Messages } from './messages.tsx';
import { Trace } from './trace.tsx';
import { useReplies } from './use-replies.ts';
import { nameOf, placeOf, stopReasons, unansweredReasons } from './words.ts';

type Opened = GetConversationResponse['conversation'];

/** A conversation, with its customer next to it or below. */
export function Conversation({ id, hasBack }: { readonly id: string; readonly hasBack: boolean }) {
  const { hrefOf } = useFilters();
  const conversation = useGetByLink(['inbox', 'conversation', id], (organizationId, options) =>
    client.ai.getConversation({ organizationId, conversationId: id }, options),
  );
  const found = conversation.data?.conversation;

  return (
    <>
      <article class="conversation">
        <header class="conversation-head">
          {hasBack && (
            <Link href={hrefOf('/inbox')} class="icon-button" aria-label="Back to the inbox">
              <ArrowLeft aria-hidden="true" />
            </Link>
          )}
          {found && <Avatar name={nameOf(found.customer)} />}
          <div class="conversation-title">
            <Heading>{found ? nameOf(found.customer) : 'Conversation'}</Heading>
            {found && (
              <p class="small quiet">
                {placeOf(found)} · {whoAnswers(found)}
              </p>
            )}
          </div>
          {found && <Actions conversation={found} />}
        </header>
        <Loaded of={conversation}>{(data) => <Thread conversation={data.conversation} />}</Loaded>
      </article>
      {found && <Customer conversation={found} />}
    </>
  );
}

function whoAnswers({ status, controller }: Found): string {
  if (status === 'CLOSED') {
    return 'Closed';
  }

  return controller === 'BOT' ? 'Agent answers' : 'People answer';
}

function Actions({ conversation }: { readonly conversation: Found }) {
  const { id: organizationId } = useMembership();
  const { id: conversationId, controller, status, assignedToId } = conversation;
  const can = useCan();
  const { memberName, query: members } = useMembers();
  const inPath = { organizationId, conversationId };
  const changes = { changes: ['inbox'] } as const;
  const changing = useSend(
    (action: 'pauseConversation' | 'resumeConversation' | 'closeConversation', options) =>
      client.ai[action](inPath, options),
    changes,
  );
  const assigning = useSend(
    (userId: string | null, options) =>
      client.ai.assignConversation({ ...inPath, userId }, options),
    changes,
  );
  const button = (name: string, action: Parameters<typeof changing.send>[0]) => (
    <button
      type="button"
      class="button"
      aria-disabled={changing.isSending}
      onClick={() => changing.isSending || changing.send(action).catch(() => undefined)}
    >
      {name}
    </button>
  );

  return (
    <div class="conversation-actions">
      {assignedToId && (
        <span class="conversation-assignee small quiet" title="Takes care of this conversation">
          <Avatar name={memberName(assignedToId)} />
          {memberName(assignedToId)}
        </span>
      )}
      {can('MEMBER') && (
        <div class="actions">
          {controller === 'BOT'
            ? button('Take over', 'pauseConversation')
            : button('Hand back', 'resumeConversation')}
          <Assign
            assignedToId={assignedToId}
            onChoose={(userId) => assigning.send(userId).catch(() => undefined)}
          />
          {status !== 'CLOSED' && button('Close', 'closeConversation')}
        </div>
      )}
      <Failed of={changing} />
      <Failed of={assigning} />
      <Failures of={[members]} />
    </div>
  );
}

function Assign({
  assignedToId,
  onChoose,
}: {
  readonly assignedToId: string | null;
  readonly onChoose: (userId: string | null) => unknown;
}) {
  const user = useUser();
  const { members } = useMembers();
  const others = members.filter(({ id, role }) => role !== 'VIEWER' && id !== user.id);
  const able = [{ id: user.id, name: `${user.firstName} ${user.lastName} (you)` }, ...others];

  return (
    <Menu label="Assign">
      {able.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          aria-current={id === assignedToId}
          onClick={() => onChoose(id)}
        >
          {name}
        </button>
      ))}
      {assignedToId && (
        <button type="button" onClick={() => onChoose(null)}>
          Nobody
        </button>
      )}
    </Menu>
  );
}

function Thread({ conversation }: { readonly conversation: Opened }) {
  const replies = useReplies(conversation);
  const reading = useReading(conversation);
  const [traced, setTraced] = useState<string>();
  const lastQuestion = conversation.messages.findLast(({ direction }) => direction === 'IN')?.id;

  return (
    <>
      <Messages conversation={conversation} replies={replies} onWhy={setTraced} />
      <div class="conversation-foot">
        <Failed of={reading} />
        <Attention
          conversation={conversation}
          onWhy={lastQuestion ? () => setTraced(lastQuestion) : undefined}
        />
        <For role="MEMBER" may="reply">
          <Composer conversation={conversation} replies={replies} />
        </For>
      </div>
      {traced && (
        <Trace
          conversationId={conversation.id}
          messageId={traced}
          onClose={() => setTraced(undefined)}
        />
      )}
    </>
  );
}

/**
 * Marks the shown messages as read. Reading removes the reason why nobody answered, so `Attention`
 * keeps showing it.
 */
function useReading({ id: conversationId, unreadCount, unansweredReason }: Opened) {
  const { id: organizationId } = useMembership();
  const can = useCan();
  const reading = useSend(
    (_: undefined, options) =>
      client.ai.readConversation({ organizationId, conversationId }, options),
    { changes: ['inbox'] },
  );
  const isUnread = unreadCount > 0 || unansweredReason !== null;
  const [isShown, setIsShown] = useState(!document.hidden);
  useEffect(() => {
    const update = () => setIsShown(!document.hidden);
    document.addEventListener('visibilitychange', update);

    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  const read = () => reading.send().catch(() => undefined);
  useEffect(() => {
    if (isUnread && isShown && can('MEMBER')) {
      void read();
    }
  }, [isUnread, unreadCount, isShown]);

  return reading;
}

/** Notices that people should read before answering. */
function Attention({
  conversation,
  onWhy,
}: {
  readonly conversation: Opened;
  readonly onWhy: (() => void) | undefined;
}) {
  const { customer, unansweredReason, stopReason, controller, waitingSince, messages } =
    conversation;
  const isAnswered = messages.at(-1)?.direction === 'OUT';
  const [kept, keep] = useState(unansweredReason);
  useEffect(() => {
    keep(isAnswered ? null : (unansweredReason ?? kept));
  }, [unansweredReason, isAnswered]);
  const reason = unansweredReason ?? (isAnswered ? null : kept);
  const why = onWhy && (
    <button type="button" class="button" onClick={onWhy}>
      Why?
    </button>
  );

  return (
    <>
      {customer.optedOutAt && (
        <p class="notice warning">This customer asked for no more messages.</p>
      )}
      {reason && (
        <div class="notice warning">
          <p>{unansweredReasons[reason]}</p>
          {why}
        </div>
      )}
      {!reason && !stopReason && controller === 'BOT' && waitingSince && (
        <div class="notice">
          <p>The agent didn’t answer the latest message.</p>
          {why}
        </div>
      )}
      {!reason && stopReason && stopReason !== 'HUMAN_TAKEOVER' && (
        <div class="notice">
          <p>
            {controller === 'HUMAN' ? 'The agent handed over' : 'The agent stopped'}, because{' '}
            {stopReasons[stopReason]}.
          </p>
          {why}
        </div>
      )}
    </>
  );
}
