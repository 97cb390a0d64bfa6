import { sessionProblems, startSession } from '#lib/features/social/oauth/start-session.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { platformNamed } from '#schemas/platform-path.ts';
import { startSocialOauth } from '#schemas/social-oauth.ts';

export const handler = endpoint(
  startSocialOauth,
  async (request) => {
    const { organizationId, caller, params, body, idempotently } = request;
    const platform = platformNamed(params.platform);
    const starter = { userId: caller.userId };

    return idempotently((extraWrites) =>
      startSession(organizationId, { ...body, platform, starter }, extraWrites),
    );
  },
  {
    rules: ({ params, body }) =>
      sessionProblems({ ...body, platform: platformNamed(params.platform) }),
  },
);
