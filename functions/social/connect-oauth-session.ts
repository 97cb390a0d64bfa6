import { presentAccount } from '#lib/features/social/accounts/messaging-state.ts';
import { connectChoices } from '#lib/features/social/consent/connect-choices.ts';
import { findSession, requireSession } from '#lib/features/social/consent/oauth-session.ts';
import { ApiError } from '#lib/platform/errors/api-error.ts';
import { endpoint, type OperationRequest } from '#lib/platform/http/endpoint.ts';
import { connectOauthSession } from '#schemas/social-oauth.ts';

async function connect(request: OperationRequest<typeof connectOauthSession>) {
  const { organizationId, caller, params, body, intent } = request;
  const session = await requireSession(organizationId, params.session_id);
  const { accounts, failures, firstFailure } = await connectChoices(session, {
    connector: { userId: caller.userId },
    platformUserIds: body.platformUserIds,
    requestId: intent.id,
  });
  if (accounts.length === 0 && firstFailure) {
    const { kind, publicMessage, fields, headers } = firstFailure;
    throw new ApiError(kind, publicMessage, {
      fields: { ...fields, failures },
      headers,
      cause: firstFailure.cause,
    });
  }

  return { socialAccounts: accounts.map(presentAccount), failures };
}

export const handler = endpoint(connectOauthSession, connect, {
  ahead: ({ organizationId, params }) => findSession(organizationId, params.session_id),
});
