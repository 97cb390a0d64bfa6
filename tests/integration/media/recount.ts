import { expect } from 'vitest';
import { keysOfFiles, type Media } from '#lib/features/media/media.ts';
import { listOf, type MediaList } from '#lib/features/media/media-writes.ts';
import { storageUsedKey } from '#lib/features/media/storage-used.ts';
import { ranges } from '#lib/platform/db/keys.ts';
import { get, query } from '#lib/platform/db/read.ts';
import type { MediaSetup } from './setup.ts';

const lists: readonly MediaList[] = ['UPLOADING', 'PROCESSING', 'REJECTED', 'IMAGE', 'VIDEO'];

/** Compares the usage and the lists with the media, and the bucket with both. */
export async function expectConsistent({ organizationId, storedKeys }: MediaSetup): Promise<void> {
  const media = await query<Media>(ranges.media(organizationId));
  const {
    pk: _pk,
    sk: _sk,
    writeId: _id,
    ...counted
  } = {
    ...(await get<Record<string, unknown>>(storageUsedKey(organizationId))),
  };
  const sum = (all: readonly Media[], of: (one: Media) => number) =>
    all.reduce((total, one) => total + of(one), 0);
  const ready = media.filter(({ status }) => status === 'READY');
  const expected: Record<string, number> = {
    total: media.length,
    claimedBytes: sum(media, ({ claimedBytes }) => claimedBytes),
    bytes: sum(ready, ({ bytes = 0 }) => bytes),
  };
  for (const list of lists) {
    const entries = await query<{ readonly id: string }>(ranges.mediaEntries(organizationId, list));
    const listed = media.filter((one) => listOf(one) === list);
    expect(entries.map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
    expected[list] = listed.length;
  }
  expect(Object.fromEntries(Object.entries(counted).filter(([, value]) => value !== 0))).toEqual(
    Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== 0)),
  );
  const stored = await storedKeys();
  expect(stored.filter((key) => key.startsWith('media/')).toSorted()).toEqual(
    ready.flatMap(keysOfFiles).toSorted(),
  );
}
