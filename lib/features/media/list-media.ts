import type { KeyRange } from '#lib/platform/db/keys/key.ts';
import { mediaKeys, mediaRanges } from '#lib/platform/db/keys/media.ts';
import type { PageRequest } from '#lib/platform/db/lists/cursor.ts';
import type { Page } from '#lib/platform/db/lists/list.ts';
import { listMergedPage, mergeNewestFirst } from '#lib/platform/db/lists/sharded-list.ts';
import { getMany, query } from '#lib/platform/db/read.ts';
import type { FiltersOf } from '#schemas/contract.ts';
import type { listMedia as contract } from '#schemas/media.ts';
import type { Media } from './media.ts';
import type { MediaList } from './media-writes.ts';
import { findMediaCounter, type MediaCounter } from './storage-used.ts';

type Entry = { readonly id: string };
type Listed = Page<Media> & { readonly counter: MediaCounter };

/** Returns one page of the matching media, newest first. Reads only that page. */
export async function listMedia(
  organizationId: string,
  filters: FiltersOf<typeof contract>,
  request: PageRequest,
): Promise<Listed> {
  const lists = listsOf(filters);
  const counting = findMediaCounter(organizationId);
  const source = (limit: number, before: string | undefined) =>
    mergeNewestFirst(
      lists.map((list) => entriesOf(mediaRanges.mediaEntries(organizationId, list), limit, before)),
    );
  const total = counting.then((counter) =>
    lists.reduce((sum, list) => sum + (counter[list] ?? 0), 0),
  );
  const { items, pagination } = await listMergedPage<Entry>(source, request, total);
  const media = await getMany<Media>(items.map(({ id }) => mediaKeys.media(organizationId, id)));

  return {
    items: media.filter((one) => one !== undefined),
    pagination,
    counter: await counting,
  };
}

/** Only READY media have a kind. */
function listsOf({ kind, status }: FiltersOf<typeof contract>): readonly MediaList[] {
  if (kind !== undefined) {
    return status === undefined || status === 'READY' ? [kind] : [];
  }
  if (status !== undefined) {
    return status === 'READY' ? ['IMAGE', 'VIDEO'] : [status];
  }

  return ['UPLOADING', 'PROCESSING', 'IMAGE', 'VIDEO', 'REJECTED'];
}

async function* entriesOf(
  range: KeyRange,
  limit: number,
  before: string | undefined,
): AsyncGenerator<Entry, void, undefined> {
  let after = before === undefined ? undefined : `${range.from}${before}`;
  for (;;) {
    const entries = await query<Entry>(range, {
      newestFirst: true,
      limit,
      ...(after === undefined ? {} : { after }),
    });
    yield* entries;
    after = entries.at(-1)?.sk;
    if (entries.length < limit) {
      return;
    }
  }
}
