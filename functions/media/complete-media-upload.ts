import { completeUpload } from '#lib/features/media/complete-upload.ts';
import { requireMedia } from '#lib/features/media/media.ts';
import { presentMedia } from '#lib/features/media/present-media.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { completeMediaUpload } from '#schemas/media.ts';

export const handler = endpoint(
  completeMediaUpload,
  async ({ organizationId, params, once }) => {
    const media = await once((alongside) =>
      completeUpload(organizationId, params.media_id, alongside),
    );

    return { media: await presentMedia(media) };
  },
  { ahead: ({ organizationId, params }) => requireMedia(organizationId, params.media_id) },
);
