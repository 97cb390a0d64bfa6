import { createConnectLink as create } from '#lib/features/social/consent/connect-links.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createConnectLink } from '#schemas/connect-links.ts';

/** No other response contains the URL. */
export const handler = endpoint(createConnectLink, async (request) => {
  const { organizationId, caller, body, reply, once } = request;
  const { link, url } = await once((alongside) =>
    create(organizationId, caller.userId, body, reply.rateLimits, alongside),
  );

  return { connectLink: { ...link, url } };
});
