import { presentSession, requireSession } from '#lib/features/social/oauth/oauth-session.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getOauthSession } from '#schemas/social-oauth.ts';

export const handler = endpoint(getOauthSession, async ({ organizationId, params, query }) => {
  const session = await requireSession(organizationId, params.session_id);

  return { oauthSession: await presentSession(session, query.finish) };
});
