import { presentUpload, startUpload } from '#lib/features/media/create-media.ts';
import { presentMedia } from '#lib/features/media/present-media.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createMediaUpload } from '#schemas/media.ts';

export const handler = endpoint(
  createMediaUpload,
  async ({ organizationId, caller, body, once }) => {
    const media = await once((alongside) =>
      startUpload(organizationId, caller.userId, body, alongside),
    );

    return { media: await presentMedia(media), upload: await presentUpload(media) };
  },
);
