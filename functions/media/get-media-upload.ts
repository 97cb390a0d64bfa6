import { presentMissingParts } from '#lib/features/media/upload-parts.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getMediaUpload } from '#schemas/media.ts';

export const handler = endpoint(getMediaUpload, ({ organizationId, params }) =>
  presentMissingParts(organizationId, params.media_id),
);
