import { startSession } from '#lib/features/social/consent/start-session.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { platformNamed } from '#schemas/platform-path.ts';
import { startSocialOauth } from '#schemas/social-oauth.ts';

export const handler = endpoint(startSocialOauth, async (request) => {
  const { organizationId, caller, params, body, once } = request;
  const platform = platformNamed(params.platform);
  const starter = { userId: caller.userId };

  return once((alongside) =>
    startSession(organizationId, { ...body, platform, starter }, alongside),
  );
});
