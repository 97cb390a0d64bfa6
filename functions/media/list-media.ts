import { listMedia } from '#lib/features/media/list-media.ts';
import { presentMedia } from '#lib/features/media/media.ts';
import { findMediaLimit, presentStorageUsed } from '#lib/features/media/storage-used.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/media.ts';

export const handler = endpoint(
  contracts.listMedia,
  async ({ organizationId, query: { page, limit, cursor, ...filters } }) => {
    const [{ items, pagination, counter }, quota] = await Promise.all([
      listMedia(organizationId, filters, { page, limit, cursor }),
      findMediaLimit(organizationId),
    ]);

    return {
      mediaItems: await Promise.all(items.map(presentMedia)),
      usage: presentStorageUsed(counter, quota),
      pagination,
    };
  },
);
