import { Bot, EyeOff, Heart } from 'lucide-preact';
import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { usePages } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useCan } from '../../frame/session.tsx';
import { client, type GetConversationResponse, type Message } from '../../service.ts';
import { networkNames } from '../../ui/networks.ts';
import { Failure, Loading } from '../../ui/states.tsx';
import { Attachments } from './attachments.tsx';
import { useMembers } from './members.ts';
import type { Replies } from './use-replies.ts';
import { nameOf } from './words.ts';

type Conversation = GetConversationResponse['conversation'];

/** A conversation contains at most this many messages. Earlier ones load page by page. */
const shownMessages = 100;
/** If people have scrolled up further than this, the list does not scroll to new messages. */
const nearPixels = 400;

type Shown = {
  readonly conversation: Conversation;
  readonly replies: Replies;
  /** Opens the explanation of a message. */
  readonly onWhy: (messageId: string) => void;
};

export function Messages(shown: Shown) {
  const { messages } = shown.conversation;
  const [earlier, setEarlier] = useState<readonly Message[]>();
  const end = useRef<HTMLDivElement>(null);
  const last = messages.at(-1);
  const isFirst = useRef(true);
  useEffect(() => {
    const { top = 0 } = end.current?.getBoundingClientRect() ?? {};
    if (isFirst.current || last?.author === 'HUMAN' || top < innerHeight + nearPixels) {
      end.current?.scrollIntoView({ block: 'end' });
    }
    isFirst.current = false;
  }, [last?.id]);
  const ids = new Set(messages.map(({ id }) => id));
  const all = [...(earlier ?? []).filter(({ id }) => !ids.has(id)), ...messages];

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard.
    <section class="thread" aria-label="Messages" tabIndex={0}>
      {messages.length >= shownMessages &&
        (earlier ? (
          <Earlier conversationId={shown.conversation.id} onLoad={setEarlier} />
        ) : (
          <button type="button" class="button" onClick={() => setEarlier([])}>
            Show earlier messages
          </button>
        ))}
      <Days {...shown} messages={all} />
      <div ref={end} class="thread-end" />
    </section>
  );
}

/**
 * Loads earlier messages. The first page has the messages that the conversation already contains.
 */
function Earlier({
  conversationId,
  onLoad,
}: {
  readonly conversationId: string;
  readonly onLoad: (messages: readonly Message[]) => void;
}) {
  const pages = usePages(
    ['inbox', 'messages', conversationId],
    (organizationId, page, options) =>
      client.ai.listMessages({ organizationId, conversationId, ...page }, options),
    { limit: shownMessages },
  );
  const { data, hasNextPage, fetchNextPage, isFetching, error } = pages;
  useEffect(() => {
    onLoad((data?.pages ?? []).flatMap(({ messages }) => messages).reverse());
    if (data?.pages.length === 1 && hasNextPage) {
      void fetchNextPage();
    }
  }, [data]);
  if (error) {
    return <Failure error={error} onRetry={() => (data ? fetchNextPage() : pages.refetch())} />;
  }
  if (isFetching && (data?.pages.length ?? 0) < 2) {
    return <Loading />;
  }

  return hasNextPage ? (
    <button type="button" class="button" onClick={() => void fetchNextPage()}>
      Show earlier messages
    </button>
  ) : null;
}

function Days({ messages, ...shown }: Shown & { readonly messages: readonly Message[] }) {
  const formats = useFormats();

  return (
    <ol class="messages" aria-live="polite">
      {messages.map((message, index) => {
        const day = formats.date(message.createdAt);
        const before = messages[index - 1];
        const isNewDay = before === undefined || formats.date(before.createdAt) !== day;
        const isContinued = !isNewDay && haveOneAuthor(before, message);
        const after = messages[index + 1];
        const hasTime =
          !after ||
          !haveOneAuthor(message, after) ||
          formats.time(message.createdAt) !== formats.time(after.createdAt);

        return (
          <Fragment key={message.id}>
            {isNewDay && <li class="day">{day}</li>}
            <Bubble
              {...shown}
              message={message}
              messages={messages}
              isContinued={isContinued}
              hasTime={hasTime}
            />
          </Fragment>
        );
      })}
    </ol>
  );
}

function haveOneAuthor(one: Message, other: Message): boolean {
  return one.author === other.author && one.userId === other.userId;
}

type BubbleProps = Shown & {
  readonly message: Message;
  readonly messages: readonly Message[];
  /** True if the previous message has the same author. */
  readonly isContinued: boolean;
  /** False if a neighboring message of the same minute shows its time. */
  readonly hasTime: boolean;
};

function Bubble({ message, messages, isContinued, hasTime, ...shown }: BubbleProps) {
  const { conversation, onWhy } = shown;
  const { author, direction, text, attachments, createdAt, deletedAt, isHidden, isLiked } = message;
  const formats = useFormats();
  const network = networkNames[conversation.platform];

  return (
    <li
      class={`message-row ${direction} ${author} ${message.status} ${isContinued ? 'is-continued' : ''}`}
    >
      {!isContinued && (
        <p class="message-author">
          {author === 'BOT' && <Bot aria-hidden="true" />}
          <Author message={message} conversation={conversation} />
        </p>
      )}
      <div class="bubble">
        {deletedAt ? (
          <p class="quiet">This message was withdrawn.</p>
        ) : (
          <>
            <Attachments attachments={attachments} />
            {text && <p class="message-text">{text}</p>}
          </>
        )}
      </div>
      <p class="message-facts">
        {hasTime && <time dateTime={createdAt}>{formats.time(createdAt)}</time>}
        {isHidden && (
          <span>
            <EyeOff aria-hidden="true" /> Hidden on {network}
          </span>
        )}
        {isLiked && (
          <span>
            <Heart aria-hidden="true" /> Liked
          </span>
        )}
        {author === 'BOT' && (
          <button type="button" class="link-button" onClick={() => onWhy(message.id)}>
            Why this answer?
          </button>
        )}
      </p>
      <Outcome {...shown} message={message} messages={messages} />
    </li>
  );
}

function Author({
  message: { author, userId },
  conversation: { customer, platform },
}: Pick<BubbleProps, 'message' | 'conversation'>) {
  const { memberName } = useMembers();
  if (author === 'CUSTOMER') {
    return <>{nameOf(customer)}</>;
  }
  if (author === 'BOT') {
    return <>Agent</>;
  }

  return <>{userId ? memberName(userId) : `Sent on ${networkNames[platform]}`}</>;
}

/** The delivery state of our message, and what to do if it failed. */
function Outcome({
  message,
  messages,
  conversation,
  replies,
}: Omit<BubbleProps, 'isContinued' | 'hasTime' | 'onWhy'>) {
  const { status, failureReason, text, attachments, author, direction } = message;
  const can = useCan();
  const network = networkNames[conversation.platform];
  if (direction === 'IN' || status === 'SENT' || message.deletedAt) {
    return null;
  }
  if (status !== 'FAILED') {
    return (
      <p class="message-facts">
        {status === 'PENDING' ? 'Sending…' : `${network} hasn’t confirmed this message.`}
      </p>
    );
  }
  const wasSentAgain = messages
    .slice(messages.indexOf(message) + 1)
    .some((later) => later.author === 'HUMAN' && later.text === text && later.status !== 'FAILED');
  const sendAgain = () =>
    replies.send({ text, mediaIds: attachments.map(({ id }) => id) }).catch(() => undefined);

  return (
    <div class="message-failure">
      <p>
        Not sent. {wasSentAgain ? 'It was sent again later.' : failureReason && `${failureReason}.`}
      </p>
      {author === 'HUMAN' && !wasSentAgain && can('MEMBER') && (
        <button
          type="button"
          class="button"
          aria-disabled={replies.isSending}
          onClick={() => replies.isSending || void sendAgain()}
        >
          Send again
        </button>
      )}
    </div>
  );
}
