import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ContentPost } from '#lib/features/content/posts/post.ts';
import { planPost } from '#lib/features/content/posts/post-writes.ts';
import { hourMs, minuteMs } from '#lib/platform/clock.ts';
import { listOf } from '#lib/platform/db/lists/shards.ts';
import { newId } from '#lib/platform/ids.ts';
import { createSums, type Item, putAll } from './seed-items.ts';

/** The organization of the posts, and the records that they link to. */
export type CalendarTenant = {
  readonly organizationId: string;
  /** The account of every other post. */
  readonly socialAccountId: string;
  readonly otherAccountId: string;
  /** Of three posts. */
  readonly groupId: string;
};

export function newCalendarTenant(organizationId: string): CalendarTenant {
  return {
    organizationId,
    socialAccountId: newId(),
    otherAccountId: newId(),
    groupId: newId(),
  };
}

/** The month has the same number of posts in every organization. */
export const postsInMonth = 100;
const month = { dateFrom: '2035-01-01', dateTo: '2035-01-31' };
const monthBeganMs = Date.parse(month.dateFrom);
const failedPosts = 10;
const postsOfGroup = 3;
/** Posts at this distance differ only in their ids, times and texts. */
const period = 4;

/** Returns the post with this number. A quarter has the tag, and another quarter are drafts. */
export function samplePost(tenant: CalendarTenant, index: number): ContentPost {
  const { organizationId, socialAccountId, otherAccountId, groupId } = tenant;
  const id = newId();
  const isInMonth = index < postsInMonth;
  const dateMs = isInMonth ? monthBeganMs + index * hourMs : monthBeganMs - index * minuteMs;
  const date = new Date(dateMs).toISOString();
  const stateOfMost = index % period === 1 ? 'DRAFT' : 'SCHEDULED';

  return {
    id,
    organizationId,
    list: listOf('post', id),
    targetAccountId: index % 2 === 0 ? socialAccountId : otherAccountId,
    platform: index % 2 === 0 ? 'FACEBOOK' : 'TWITTER',
    content: `New ${index % period === 0 ? 'engines' : 'looms'} are here, number ${index}`,
    mediaUrls: [],
    tags: index % period === 0 ? ['spring'] : [],
    origin: 'CREATED',
    state: index < failedPosts ? 'FAILED' : stateOfMost,
    ...(index < postsOfGroup ? { groupId } : {}),
    scheduledAt: date,
    attempt: 0,
    tries: 0,
    createdAt: date,
    updatedAt: date,
  };
}

/** Writes `size` posts as the service would. */
export async function seedPosts(
  client: DynamoDBDocumentClient,
  tenant: CalendarTenant,
  size: number,
): Promise<void> {
  const counters = createSums();
  const items: Item[] = [];
  for (let index = 0; index < size; index += 1) {
    for (const { kind, item, key } of planPost(samplePost(tenant, index))) {
      if (kind === 'create') {
        items.push({ ...item, ...key });
      } else {
        counters.addTo(key, { total: 1 });
      }
    }
  }
  await putAll(client, [...items, ...counters.items()]);
}

type Queries = ReadonlyArray<readonly [name: string, query: Readonly<Record<string, string>>]>;

/** Pages with the same cost in every organization with this month. */
export function calendarQueries(tenant: CalendarTenant): Queries {
  const { socialAccountId, groupId } = tenant;
  const listed = {
    socialAccountId,
    platform: 'FACEBOOK',
    status: 'SCHEDULED',
    source: 'CREATED',
    groupId,
  };
  const filters = { ...listed, tags: 'spring', search: 'engines' };

  return [
    ['all', {}],
    ...Object.entries(listed).map(([filter, value]) => [filter, { [filter]: value }] as const),
    ['month', month],
    ...Object.entries(filters).map(
      ([filter, value]) => [`month, ${filter}`, { ...month, [filter]: value }] as const,
    ),
    ['month, all filters', { ...month, ...filters }],
    ['FAILED, account', { status: 'FAILED', socialAccountId }],
    ['group, search', { groupId, search: 'engines' }],
  ];
}

/** Pages whose cost grows up to a limit, because a first page counts the matching posts. */
export function growingQueries({ socialAccountId }: CalendarTenant): Queries {
  return [
    ['tags', { tags: 'spring' }],
    ['until a date', { dateTo: month.dateTo }],
    ['account, status', { socialAccountId, status: 'SCHEDULED' }],
    ['search', { search: 'engines' }],
  ];
}
