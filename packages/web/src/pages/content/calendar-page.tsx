import { ChevronLeft, ChevronRight } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Loaded, More, useOrganization, usePages } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useCan } from '../../frame/session.tsx';
import { useAccounts } from '../../frame/shared-data.ts';
import { type ContentPost, client } from '../../service.ts';
import { useDropTarget } from '../../ui/drag.ts';
import { SelectFilter, useFilters } from '../../ui/filters.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure } from '../../ui/states.tsx';
import { type Day, dayOf, daysShown, rangeOf, turn, type View } from './calendar.ts';
import { ContentHead } from './content-head.tsx';
import { type Moving, useMovePost } from './move-post.ts';
import { statusNames, titleOf } from './post.ts';
import { PostChip } from './post-chip.tsx';

export function CalendarPage() {
  const organization = useOrganization();

  return (
    <Page title="Content" wide actions={<ContentHead />}>
      <Loaded of={organization}>
        {({ organization: { timezone } }) => <Calendar timeZone={timezone} />}
      </Loaded>
    </Page>
  );
}

function Calendar({ timeZone }: { readonly timeZone: string }) {
  const { filter, set } = useFilters();
  const view: View = filter('view') === 'week' ? 'week' : 'month';
  const today = dayOf(new Date(), timeZone);
  const asked = filter('day');
  const day = /^\d{4}-\d\d-\d\d$/.test(asked) && !Number.isNaN(Date.parse(asked)) ? asked : today;
  const days = daysShown(day, view);
  const show = (shown: Day) => set({ day: shown === today ? '' : shown });
  const { announcement, failed, move, followed } = useMovePost(timeZone);
  const moving: Moving = {
    followed,
    move: (post, to) => {
      move(post, to);
      if (!days.includes(to)) {
        show(to);
      }
    },
  };
  const posts = usePosts('calendar', { ...rangeOf(days, timeZone) });
  const drafts = usePosts('drafts', { status: 'DRAFT' });

  return (
    <>
      <Toolbar day={day} today={today} view={view} show={show} />
      {failed && (
        <div class="stack">
          <p>“{titleOf(failed.post)}” was not moved.</p>
          <Failure error={failed.error} onRetry={failed.retry} />
        </div>
      )}
      <p class="hidden" role="status">
        {announcement}
      </p>
      <Loaded of={posts}>
        {({ pages }) => (
          <>
            <Days
              days={days}
              today={today}
              month={view === 'month' ? day.slice(0, 7) : undefined}
              timeZone={timeZone}
              posts={pages
                .flatMap((page) => page.contentPosts)
                .filter(({ status }) => status !== 'DRAFT' && status !== 'DELETED')}
              moving={moving}
            />
            <More of={posts} />
          </>
        )}
      </Loaded>
      <Loaded of={drafts}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.contentPosts);

          return (
            all.length > 0 && (
              <section class="stack" aria-labelledby="drafts">
                <h2 id="drafts">Drafts</h2>
                <ul class="drafts">
                  {all.map((post) => (
                    <li key={post.id}>
                      <PostChip post={post} timeZone={timeZone} moving={moving} />
                    </li>
                  ))}
                </ul>
                <More of={drafts} />
              </section>
            )
          );
        }}
      </Loaded>
    </>
  );
}

type Selection = {
  readonly from?: string;
  readonly to?: string;
  readonly status?: ContentPost['status'];
};

function usePosts(view: 'calendar' | 'drafts', selection: Selection) {
  const { those } = useFilters();
  const { status, ...filters } = those('socialAccountId', 'status');
  const selected = {
    ...filters,
    ...(status && { status: status as ContentPost['status'] }),
    ...selection,
  };

  return usePages(
    ['content', view, selected],
    (organizationId, page, options) =>
      client.content.listPosts({ organizationId, ...selected, ...page }, options),
    { limit: 100 },
  );
}

function Toolbar({
  day,
  today,
  view,
  show,
}: {
  readonly day: Day;
  readonly today: Day;
  readonly view: View;
  readonly show: (day: Day) => void;
}) {
  const formats = useFormats();
  const { set } = useFilters();
  const accounts = useAccounts();
  const names = Object.fromEntries(
    (accounts.data?.socialAccounts ?? []).map(({ id, platformUserName }) => [id, platformUserName]),
  );
  // Noon in UTC falls on the same date in nearly all time zones.
  const shown = `${view === 'week' ? daysShown(day, view)[0] : day}T12:00Z`;

  return (
    <div class="toolbar calendar-bar">
      <h2 aria-live="polite">
        {view === 'month' ? formats.month(shown) : `Week of ${formats.date(shown)}`}
      </h2>
      <div class="calendar-turn">
        {' '}
        <button
          type="button"
          class="icon-button"
          aria-label={view === 'month' ? 'Previous month' : 'Previous week'}
          onClick={() => show(turn(day, view, -1))}
        >
          <ChevronLeft aria-hidden="true" />
        </button>
        <button type="button" class="button" onClick={() => show(today)}>
          Today
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={view === 'month' ? 'Next month' : 'Next week'}
          onClick={() => show(turn(day, view, 1))}
        >
          <ChevronRight aria-hidden="true" />
        </button>
      </div>{' '}
      <fieldset class="segments" aria-label="View">
        {(['month', 'week'] as const).map((one) => (
          <button
            key={one}
            type="button"
            class="button"
            aria-pressed={view === one}
            onClick={() => set({ view: one === 'month' ? '' : one })}
          >
            {one === 'month' ? 'Month' : 'Week'}
          </button>
        ))}
      </fieldset>
      <SelectFilter name="socialAccountId" label="Account" all="All accounts" options={names} />
      <SelectFilter
        name="status"
        label="Status"
        all="All statuses"
        options={{
          SCHEDULED: statusNames.SCHEDULED,
          PUBLISHED: statusNames.PUBLISHED,
          FAILED: statusNames.FAILED,
        }}
      />
      {accounts.error && <Failure error={accounts.error} onRetry={() => accounts.refetch()} />}
    </div>
  );
}

type DaysProps = {
  readonly days: readonly Day[];
  readonly today: Day;
  /** Undefined in the week view. */
  readonly month: string | undefined;
  readonly timeZone: string;
  readonly posts: readonly ContentPost[];
  readonly moving: Moving;
};

function Days({ days, today, month, timeZone, posts, moving }: DaysProps) {
  const can = useCan();
  const byDay = Map.groupBy(posts, (post) =>
    dayOf(post.publishedAt ?? post.scheduledAt ?? post.createdAt, timeZone),
  );

  return (
    <>
      <ol class={`days ${month ? 'of-month' : 'of-week'}`} aria-label="Calendar">
        {days.map((day) => (
          <DayCell
            key={day}
            day={day}
            isToday={day === today}
            isOutside={month !== undefined && !day.startsWith(month)}
            most={month === undefined ? Infinity : mostInMonth}
            posts={(byDay.get(day) ?? []).toSorted((one, other) =>
              timeOf(one).localeCompare(timeOf(other)),
            )}
            timeZone={timeZone}
            moving={moving}
          />
        ))}
      </ol>
      {posts.length === 0 && (
        <Empty title="No posts here">
          {can('MEMBER') && (
            <p>
              <Link href="/content/new">Write a post</Link>, and schedule it or publish it now.
            </p>
          )}
        </Empty>
      )}
    </>
  );
}

function timeOf({ publishedAt, scheduledAt, createdAt }: ContentPost): string {
  return publishedAt ?? scheduledAt ?? createdAt;
}

/** The month shows this many posts of a day, and the others after a click on `more`. */
const mostInMonth = 4;

function DayCell({
  day,
  isToday,
  isOutside,
  most,
  posts,
  timeZone,
  moving,
}: {
  readonly day: Day;
  readonly isToday: boolean;
  readonly isOutside: boolean;
  readonly most: number;
  readonly posts: readonly ContentPost[];
  readonly timeZone: string;
  readonly moving: Moving;
}) {
  const formats = useFormats();
  const { ref, isOver } = useDropTarget<ContentPost>((post) => moving.move(post, day));
  const [isWhole, setIsWhole] = useState(false);
  const name = formats.longDay(`${day}T12:00Z`);
  const later = posts.length > most + 1 ? posts.slice(most) : [];
  // A post that was moved by keyboard keeps the focus.
  const hidden = isWhole || later.some(({ id }) => id === moving.followed.current) ? [] : later;
  const shown = posts.filter((post) => !hidden.includes(post));

  return (
    <li
      ref={(element) => {
        ref.current = element;
      }}
      class={`calendar-day ${isOutside ? 'outside' : ''} ${isOver ? 'over' : ''} ${posts.length === 0 ? 'free' : ''}`}
      aria-label={name}
      {...(isToday ? { 'aria-current': 'date' as const } : {})}
    >
      <p class="day-name" aria-hidden="true">
        <span class="day-long">{name}</span>
        <span class="day-short">
          <span class="day-week">{formats.weekday(`${day}T12:00Z`)} </span>
          {Number(day.slice(8))}
        </span>
      </p>
      {posts.length > 0 && (
        <ul class="day-posts">
          {shown.map((post) => (
            <li key={post.id}>
              <PostChip post={post} timeZone={timeZone} moving={moving} />
            </li>
          ))}
        </ul>
      )}
      {hidden.length > 0 && (
        <button type="button" class="button" onClick={() => setIsWhole(true)}>
          {hidden.length} more<span class="hidden"> on {name}</span>
        </button>
      )}
    </li>
  );
}
