import { deleteMedia } from '#lib/features/media/delete-media.ts';
import { requireMedia } from '#lib/features/media/media.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/media.ts';

export const handler = endpoint(
  contracts.deleteMedia,
  async ({ organizationId, params }) => {
    await deleteMedia(organizationId, params.media_id);
  },
  { ahead: ({ organizationId, params }) => requireMedia(organizationId, params.media_id) },
);
