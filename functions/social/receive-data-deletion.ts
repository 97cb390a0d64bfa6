import { requestDataDeletion } from '#lib/features/erasure/data-deletion/request-data-deletion.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { boundedRawBody } from '#lib/platform/http/raw-body.ts';
import { metaPlatformNamed } from '#schemas/platform-path.ts';
import { receiveDataDeletion } from '#schemas/social-webhooks.ts';

export const handler = publicEndpoint(receiveDataDeletion, ({ params, event }) =>
  requestDataDeletion(metaPlatformNamed(params.platform), boundedRawBody(event)),
);
