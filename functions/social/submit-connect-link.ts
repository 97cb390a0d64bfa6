import { submitConnectForm } from '#lib/features/social/oauth/submit-connect-form.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { boundedRawBody } from '#lib/platform/http/raw-body.ts';
import { submitConnectLink } from '#schemas/connect-links.ts';

export const handler = publicEndpoint(submitConnectLink, ({ event, params, intent }) =>
  submitConnectForm(
    params.token,
    new URLSearchParams(boundedRawBody(event).toString('utf8')),
    intent.id,
  ),
);
