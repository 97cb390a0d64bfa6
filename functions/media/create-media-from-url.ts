import { copyFromUrl } from '#lib/features/media/create-media.ts';
import { presentMedia } from '#lib/features/media/present-media.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createMediaFromUrl } from '#schemas/media.ts';

export const handler = endpoint(
  createMediaFromUrl,
  async ({ organizationId, caller, body, once }) => {
    const media = await once((alongside) =>
      copyFromUrl(organizationId, caller.userId, body, alongside),
    );

    return { media: await presentMedia(media) };
  },
);
