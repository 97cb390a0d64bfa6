import {
  findSession,
  presentSession,
  requireSession,
} from '#lib/features/social/consent/oauth-session.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getOauthSession } from '#schemas/social-oauth.ts';

export const handler = endpoint(
  getOauthSession,
  async ({ organizationId, params }) => ({
    oauthSession: await presentSession(await requireSession(organizationId, params.session_id)),
  }),
  { ahead: ({ organizationId, params }) => findSession(organizationId, params.session_id) },
);
