import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { areas } from '../../frame/areas.ts';
import { Loaded, useGet } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useCan } from '../../frame/session.tsx';
import { type Conversation, client, type ListLeadsResponse } from '../../service.ts';
import { Avatar } from '../../ui/avatar.tsx';

const shown = 5;

/** Shows open tasks, and what happened today. */
export function Today({ leads }: { readonly leads: ListLeadsResponse['leads'] }) {
  const can = useCan();

  return (
    <div class="today">
      <Waiting />
      <NewLeads leads={leads} />
      <Replies />
      <Posts />
      {can('ADMIN') && <Credits />}
    </div>
  );
}

function Card({
  title,
  href,
  more,
  children,
}: {
  readonly title: string;
  readonly href: string;
  /** The text of the link to the full list. */
  readonly more: string;
  readonly children: ComponentChildren;
}) {
  const isBuilt = areas.some((area) => area.href === href.split('?')[0]);

  return (
    <section class="card stack">
      <header class="page-head">
        <h2>{title}</h2>
        {isBuilt && <Link href={href}>{more}</Link>}
      </header>
      {children}
    </section>
  );
}

function Waiting() {
  const waiting = useGet(['inbox', 'waiting'], (organizationId, options) =>
    client.ai.listConversations(
      { organizationId, waiting: 'true', sort: 'waiting', limit: shown },
      options,
    ),
  );

  return (
    <Card title="Waiting for you" href="/inbox" more="Open inbox">
      <Loaded of={waiting}>
        {({ conversations }) =>
          conversations.length === 0 ? (
            <p class="quiet">Nobody is waiting for an answer.</p>
          ) : (
            <Conversations of={conversations} timeOf={({ waitingSince }) => waitingSince} />
          )
        }
      </Loaded>
    </Card>
  );
}

function Replies() {
  const latest = useGet(['inbox', 'latest'], (organizationId, options) =>
    client.ai.listConversations({ organizationId, sort: 'lastMessage', limit: 20 }, options),
  );

  return (
    <Card title="Latest replies" href="/inbox" more="Open inbox">
      <Loaded of={latest}>
        {({ conversations }) => {
          const replied = conversations.filter(
            ({ lastMessage }) => lastMessage?.direction === 'OUT',
          );

          return replied.length === 0 ? (
            <p class="quiet">No replies yet.</p>
          ) : (
            <Conversations
              of={replied.slice(0, shown)}
              timeOf={({ lastMessageAt }) => lastMessageAt}
            />
          );
        }}
      </Loaded>
    </Card>
  );
}

function Conversations({
  of,
  timeOf,
}: {
  readonly of: readonly Conversation[];
  readonly timeOf: (conversation: Conversation) => string | null;
}) {
  return (
    <ul class="rows">
      {of.map((conversation) => (
        <Entry
          key={conversation.id}
          href={`/conversations/${conversation.id}`}
          name={conversation.customer.name}
          about={conversation.lastMessage?.text}
          time={timeOf(conversation)}
        />
      ))}
    </ul>
  );
}

function Entry({
  href,
  name,
  about,
  time,
}: {
  readonly href: string;
  readonly name: string;
  readonly about?: string | undefined;
  readonly time: string | null;
}) {
  const { ago } = useFormats();

  return (
    <li class="row entry">
      <Avatar name={name} />
      <div class="row-main">
        <Link href={href}>{name}</Link>
        {about && <span class="quiet small cut">{about}</span>}
      </div>
      {time && <span class="quiet small">{ago(time)}</span>}
    </li>
  );
}

function NewLeads({ leads }: { readonly leads: ListLeadsResponse['leads'] }) {
  const { date, number } = useFormats();
  const today = date(new Date());
  const fromToday = leads.filter(({ createdAt }) => date(createdAt) === today);
  const more = fromToday.length === leads.length && leads.length >= 50 ? '+' : '';

  return (
    <Card title="Leads today" href="/leads" more="All leads">
      <p class="figure">
        {number(fromToday.length)}
        {more}
      </p>
      <ul class="rows">
        {fromToday.slice(0, shown).map(({ id, contact, createdAt, stage }) => (
          <Entry
            key={id}
            href={`/leads/${id}`}
            name={contact?.name ?? 'Unknown contact'}
            about={stage?.name}
            time={createdAt}
          />
        ))}
      </ul>
    </Card>
  );
}

const weekMs = 7 * 24 * 60 * 60_000;

function Posts() {
  const { dateTime } = useFormats();
  const posts = useGet(['content', 'week'], (organizationId, options) => {
    const from = new Date();
    const to = new Date(from.getTime() + weekMs);

    return client.content.listPosts(
      {
        organizationId,
        status: 'SCHEDULED',
        from: from.toISOString(),
        to: to.toISOString(),
        limit: 50,
      },
      options,
    );
  });

  return (
    <Card title="Posts in the next 7 days" href="/content" more="Calendar">
      <Loaded of={posts}>
        {({ contentPosts }) =>
          contentPosts.length === 0 ? (
            <p class="quiet">Nothing is scheduled.</p>
          ) : (
            <ul class="rows">
              {contentPosts
                .toSorted((one, other) =>
                  (one.scheduledAt ?? '').localeCompare(other.scheduledAt ?? ''),
                )
                .slice(0, shown)
                .map(({ id, content, scheduledAt }) => (
                  <li key={id} class="row">
                    <span class="row-main cut">{content}</span>
                    <span class="quiet small">{scheduledAt && dateTime(scheduledAt)}</span>
                  </li>
                ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function Credits() {
  const { number } = useFormats();
  const balance = useGet(['billing', 'balance'], (organizationId, options) =>
    client.billing.getBalance({ organizationId }, options),
  );

  return (
    <Card title="Credits" href="/billing" more="Billing">
      <Loaded of={balance}>
        {({ balance: { credits }, autoRefill }) => (
          <>
            <p class="figure">{number(credits)}</p>
            <p class="quiet">
              {autoRefill.enabled
                ? `Refilled by ${number(autoRefill.amount)} below ${number(autoRefill.threshold)}.`
                : 'Automatic refill is off. Without credits, the agent stops answering.'}
            </p>
          </>
        )}
      </Loaded>
    </Card>
  );
}
