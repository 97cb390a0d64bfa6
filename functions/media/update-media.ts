import { changeMedia } from '#lib/features/media/change-media.ts';
import { presentMedia } from '#lib/features/media/media.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { updateMedia } from '#schemas/media.ts';

export const handler = endpoint(updateMedia, async ({ organizationId, params, body }) => ({
  media: await presentMedia(await changeMedia(organizationId, params.media_id, body)),
}));
