import { createConnectLink as create } from '#lib/features/social/oauth/connect-links.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createConnectLink } from '#schemas/connect-links.ts';

/** No other response contains the URL. */
export const handler = endpoint(createConnectLink, async (request) => {
  const { organizationId, role, caller, body, reply, idempotently } = request;
  const actor = { userId: caller.userId, role };
  const { link, url } = await idempotently((extraWrites) =>
    create(organizationId, actor, body, reply.rateLimits, extraWrites),
  );

  return { connectLink: { ...link, url } };
});
