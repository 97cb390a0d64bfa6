import { presentUpload, startUpload, uploadProblems } from '#lib/features/media/create-media.ts';
import { presentMedia } from '#lib/features/media/media.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createMediaUpload } from '#schemas/media.ts';

export const handler = endpoint(
  createMediaUpload,
  async ({ organizationId, caller, body, idempotently }) => {
    const media = await idempotently((extraWrites) =>
      startUpload(organizationId, caller.userId, body, extraWrites),
    );

    return { media: await presentMedia(media), upload: await presentUpload(media) };
  },
  { rules: ({ body }) => uploadProblems(body) },
);
