import { completeUpload } from '#lib/features/media/complete-upload.ts';
import { presentMedia } from '#lib/features/media/media.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { completeMediaUpload } from '#schemas/media.ts';

export const handler = endpoint(
  completeMediaUpload,
  async ({ organizationId, params, idempotently }) => {
    const media = await idempotently((extraWrites) =>
      completeUpload(organizationId, params.media_id, extraWrites),
    );

    return { media: await presentMedia(media) };
  },
);
