import { SlidersHorizontal } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Loaded, More, usePages } from '../../frame/data.tsx';
import { type Formats, useFormats } from '../../frame/formats.ts';
import { useUser } from '../../frame/session.tsx';
import { type Conversation, client } from '../../service.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Empty } from '../../ui/states.tsx';
import { FilterFields } from './filter-fields.tsx';
import { orders, useFilters } from './filters.ts';
import { nameOf, placeOf, previewPrefixes } from './words.ts';

const searchAfterMs = 250;

export function ConversationList({ currentId }: { readonly currentId: string | undefined }) {
  const { filters, wanted, hrefOf, clear } = useFilters();
  const formats = useFormats();
  const pages = usePages(['inbox', 'list', wanted], (organizationId, page, options) =>
    client.ai.listConversations({ organizationId, ...wanted, ...page }, options),
  );

  return (
    <>
      <Toolbar />
      <Loaded of={pages}>
        {(data) => {
          const conversations = data.pages.flatMap((page) => page.conversations);
          if (conversations.length === 0 && !pages.hasNextPage) {
            return Object.keys(filters).length > 0 ? (
              <Empty title="No conversation matches">
                <button type="button" class="button" onClick={clear}>
                  Clear filters
                </button>
              </Empty>
            ) : (
              <Empty title="No conversations yet">
                <p>
                  Comments and messages of customers appear here once{' '}
                  <Link href="/social/accounts">an account is connected</Link>.
                </p>
              </Empty>
            );
          }

          return (
            <>
              <ul class="conversations" aria-label="Conversations">
                {conversations.map((conversation) => (
                  <Row
                    key={conversation.id}
                    conversation={conversation}
                    href={hrefOf(`/conversations/${conversation.id}`)}
                    isCurrent={conversation.id === currentId}
                    formats={formats}
                  />
                ))}
              </ul>
              <More of={pages} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function Toolbar() {
  const { filters, sort, set } = useFilters();
  const user = useUser();
  const attention = { unread: undefined, waiting: undefined, unanswered: undefined };
  const everyone = { ...attention, assignedToId: undefined };
  const isMine = filters.assignedToId === user.id;
  const isAll = !filters.unread && !filters.waiting && !filters.unanswered && !isMine;
  const [showsFilters, setShowsFilters] = useState(false);
  const { status, channel, socialAccountId, campaignId, controller, assignedToId } = filters;
  const others = [
    status,
    channel,
    socialAccountId,
    campaignId,
    controller,
    !isMine && assignedToId,
  ];
  const count = others.filter(Boolean).length;

  return (
    <div class="inbox-toolbar">
      <Search />
      <div class="inbox-order">
        <select
          aria-label="Order"
          value={sort}
          onChange={({ currentTarget: { value } }) =>
            set({ sort: value === 'lastMessage' ? undefined : value })
          }
        >
          {Object.entries(orders).map(([order, text]) => (
            <option key={order} value={order} selected={order === sort}>
              {text}
            </option>
          ))}
        </select>
        <button
          type="button"
          class="button"
          aria-expanded={showsFilters}
          onClick={() => setShowsFilters(!showsFilters)}
        >
          <SlidersHorizontal aria-hidden="true" />
          Filters{count > 0 && ` (${count})`}
        </button>
      </div>
      {showsFilters && <FilterFields />}
      <ul class="views">
        <View text="All" isOn={isAll} changes={everyone} />
        <View text="Mine" isOn={isMine} changes={{ ...attention, assignedToId: user.id }} />
        <View text="Unread" isOn={!!filters.unread} changes={{ ...everyone, unread: 'true' }} />
        <View text="Waiting" isOn={!!filters.waiting} changes={{ ...everyone, waiting: 'true' }} />
        <View
          text="Unanswered"
          isOn={!!filters.unanswered}
          changes={{ ...everyone, unanswered: 'true' }}
        />
      </ul>
    </div>
  );
}

function View({
  text,
  isOn,
  changes,
}: {
  readonly text: string;
  readonly isOn: boolean;
  readonly changes: Readonly<Record<string, string | undefined>>;
}) {
  const { hrefWith } = useFilters();

  return (
    <li>
      <Link href={hrefWith(changes)} aria-current={isOn ? 'true' : undefined}>
        {text}
      </Link>
    </li>
  );
}

/** Updates the address when the person pauses typing, and shows the search of the address. */
function Search() {
  const { filters, set } = useFilters();
  const { search = '' } = filters;
  const [text, setText] = useState(search);
  useEffect(() => setText(search), [search]);
  useEffect(() => {
    if (text.trim() === search) {
      return undefined;
    }
    const timer = setTimeout(() => set({ search: text.trim() }), searchAfterMs);

    return () => clearTimeout(timer);
  }, [text]);

  return (
    <input
      type="search"
      aria-label="Search conversations"
      placeholder="Search by name"
      maxLength={200}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}

function Row({
  conversation,
  href,
  isCurrent,
  formats,
}: {
  readonly conversation: Conversation;
  readonly href: string;
  readonly isCurrent: boolean;
  readonly formats: Formats;
}) {
  const { id, customer, lastMessage, lastMessageAt, unreadCount, createdAt } = conversation;
  const name = nameOf(customer);

  return (
    <li
      class={`conversation-row ${isCurrent ? 'is-current' : ''} ${unreadCount ? 'is-unread' : ''}`}
    >
      <Avatar name={name} />
      <p class="conversation-row-head">
        <Link
          href={href}
          aria-current={isCurrent ? 'page' : undefined}
          aria-describedby={`row-${id}`}
        >
          {name}
        </Link>
        <time dateTime={lastMessageAt ?? createdAt}>{formats.ago(lastMessageAt ?? createdAt)}</time>
      </p>
      <div id={`row-${id}`} class="conversation-row-about">
        <p class="conversation-preview">
          {lastMessage && `${previewPrefixes[lastMessage.author]}${lastMessage.text || 'A file'}`}
        </p>
        <p class="conversation-facts">
          <span class="conversation-place">{placeOf(conversation)}</span>
          <Marks conversation={conversation} formats={formats} />
        </p>
      </div>
    </li>
  );
}

function Marks({
  conversation: { status, unreadCount, unansweredReason, waitingSince },
  formats,
}: {
  readonly conversation: Conversation;
  readonly formats: Formats;
}) {
  return (
    <>
      {status === 'CLOSED' && <span class="badge">Closed</span>}
      {unansweredReason ? (
        <span class="badge warning">Unanswered</span>
      ) : (
        waitingSince && (
          <span class="badge warning" title={formats.dateTime(waitingSince)}>
            Waiting
          </span>
        )
      )}
      {unreadCount > 0 && (
        <span class="unread">
          {formats.number(unreadCount)}
          <span class="hidden"> unread</span>
        </span>
      )}
    </>
  );
}
