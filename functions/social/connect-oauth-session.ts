import { presentAccount } from '#lib/features/social/accounts/messaging-state.ts';
import { connectChoices } from '#lib/features/social/oauth/connect-choices.ts';
import { requireConsent, requireSession } from '#lib/features/social/oauth/oauth-session.ts';
import { withFields } from '#lib/platform/errors/failures.ts';
import type { OperationRequest } from '#lib/platform/http/build-endpoint.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { connectOauthSession } from '#schemas/social-oauth.ts';

async function connect(request: OperationRequest<typeof connectOauthSession>) {
  const { organizationId, caller, params, body, intent } = request;
  const session = await requireSession(organizationId, params.session_id);
  requireConsent(session, body.finish);
  const { accounts, failures, firstFailure } = await connectChoices(session, {
    connector: { userId: caller.userId },
    platformUserIds: body.platformUserIds,
    requestId: intent.id,
  });
  if (accounts.length === 0 && firstFailure) {
    throw withFields(firstFailure, { failures });
  }

  return { socialAccounts: accounts.map(presentAccount), failures };
}

export const handler = endpoint(connectOauthSession, connect);
