import type { PostDate } from '#lib/features/content/posts/post-writes.ts';
import type { NamedRange } from '#lib/platform/day-range.ts';
import type { PostFacet } from '#lib/platform/db/keys/content.ts';
import type { listContentPosts } from '#schemas/content.ts';
import type { FiltersOf } from '#schemas/contract.ts';

export type PostFilters = Omit<
  FiltersOf<typeof listContentPosts>,
  'includeLiveData' | 'from' | 'to'
>;

const facets = {
  socialAccountId: 'account',
  platform: 'platform',
  status: 'status',
  source: 'source',
  groupId: 'group',
} as const satisfies Partial<Record<keyof PostFilters, PostFacet>>;

/** Returns the list and counter of a filter, if any. */
export function facetOf(filter: string): PostFacet | undefined {
  return facets[filter as keyof typeof facets];
}

type FacetValue = { readonly facet: PostFacet; readonly value: string };

/** Returns the requested filters that have their own lists and counters. */
export function facetValuesOf(filters: PostFilters): readonly FacetValue[] {
  return (Object.keys(facets) as Array<keyof typeof facets>).flatMap((field) => {
    const value = filters[field];

    return value === undefined ? [] : [{ facet: facets[field], value }];
  });
}

/** Returns problems if a range ends before it begins. */
export function dateProblems({ from, to, names, conflicts }: NamedRange): readonly string[] {
  return from && to && from > to
    ? [...conflicts, `${names.from} must not be after ${names.to}`]
    : conflicts;
}

type Filtered = Pick<
  PostDate,
  'targetAccountId' | 'platform' | 'tags' | 'state' | 'origin' | 'groupId'
>;

/** True if a date row matches the filters that do not need the text. */
export function passes(
  row: Filtered,
  { socialAccountId, platform, tags, status, source, groupId }: PostFilters,
): boolean {
  return (
    (socialAccountId === undefined || row.targetAccountId === socialAccountId) &&
    (platform === undefined || row.platform === platform) &&
    (status === undefined || row.state === status) &&
    (source === undefined || row.origin === source) &&
    (groupId === undefined || row.groupId === groupId) &&
    (tags === undefined || tags.length === 0 || tags.some((tag) => row.tags.includes(tag)))
  );
}
