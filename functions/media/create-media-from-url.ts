import { copyFromUrl } from '#lib/features/media/create-media.ts';
import { presentMedia } from '#lib/features/media/media.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { publicUrlProblems } from '#lib/platform/outbound/public-url.ts';
import { createMediaFromUrl } from '#schemas/media.ts';

export const handler = endpoint(
  createMediaFromUrl,
  async ({ organizationId, caller, body, idempotently }) => {
    const media = await idempotently((extraWrites) =>
      copyFromUrl(organizationId, caller.userId, body, extraWrites),
    );

    return { media: await presentMedia(media) };
  },
  { rules: ({ body }) => publicUrlProblems('url', body.url) },
);
