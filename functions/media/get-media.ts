import { presentMedia, requireMedia } from '#lib/features/media/media.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getMedia } from '#schemas/media.ts';

export const handler = endpoint(getMedia, async ({ organizationId, params }) => ({
  media: await presentMedia(await requireMedia(organizationId, params.media_id)),
}));
