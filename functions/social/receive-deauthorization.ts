import { receiveDeauthorization } from '#lib/features/intake/receive-deauthorization.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { boundedRawBody } from '#lib/platform/http/raw-body.ts';
import { metaPlatformNamed } from '#schemas/platform-path.ts';
import * as contracts from '#schemas/social-webhooks.ts';

export const handler = publicEndpoint(
  contracts.receiveDeauthorization,
  async ({ params, event }) => ({
    received: await receiveDeauthorization(
      metaPlatformNamed(params.platform),
      boundedRawBody(event),
    ),
  }),
);
