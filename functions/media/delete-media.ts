import { deleteMedia } from '#lib/features/media/delete-media.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/media.ts';

export const handler = endpoint(contracts.deleteMedia, async ({ organizationId, params }) => {
  await deleteMedia(organizationId, params.media_id);
});
