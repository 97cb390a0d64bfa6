import { planOrganizationExists } from '#lib/features/organizations/organizations.ts';
import { requireSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { hashToken, newOneTimeToken } from '#lib/platform/crypto/one-time-token.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { create, type ExtraWrites, write } from '#lib/platform/db/write.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import type { ConsentPurpose } from '#lib/vendors/networks/network.ts';
import { asAnswer } from '#lib/vendors/networks/network-error.ts';
import { oauthOf } from '#lib/vendors/networks/ports/oauth.ts';
import type { Platform } from '#schemas/platforms.ts';
import {
  type OAuthSession,
  redirectUriOf,
  type SessionSecret,
  sealField,
  sessionExpiry,
} from './oauth-session.ts';

type SessionRequest = {
  readonly platform: Platform;
  readonly purpose?: ConsentPurpose | null | undefined;
  readonly accountId?: string | null | undefined;
  readonly starter:
    | { readonly userId: string }
    | { readonly connectLinkId: string; readonly linkToken: string };
};

export type StartedSession = {
  readonly authorizationUrl: string;
  readonly sessionId: string;
  readonly expiresAt: string;
};

/** The key of the session of a `state`. */
export type StateClaim = { readonly organizationId: string; readonly sessionId: string };

/** Returns a problem if the network lacks the purpose, or the purpose needs an account. */
export function sessionProblems({
  platform,
  purpose,
  accountId,
}: Omit<SessionRequest, 'starter'>): readonly string[] {
  const wanted = purpose ?? 'publishing';

  return [
    ...(oauthOf(platform, wanted) ? [] : [`purpose ${wanted} is not supported for ${platform}`]),
    ...(wanted === 'messaging' && !accountId
      ? ['accountId is required for the purpose messaging']
      : []),
  ];
}

/**
 * Starts an authorization. Its `state` is stored as a hash and belongs only to this session.
 *
 * @throws 400 if the network lacks the purpose or the account belongs to another network, 404 for
 * an unknown account.
 */
export async function startSession(
  organizationId: string,
  request: SessionRequest,
  extraWrites: ExtraWrites<StartedSession>,
): Promise<StartedSession> {
  const { platform, accountId, starter } = request;
  const purpose = request.purpose ?? 'publishing';
  const api = oauthOf(platform, purpose);
  if (!api) {
    throw badRequest(`purpose ${purpose} is not supported for ${platform}`);
  }
  await checkAccount(organizationId, request);
  const state = newOneTimeToken();
  const codeVerifier = newOneTimeToken();
  const authorizationUrl = await asAnswer(
    api.authorizationUrl({
      redirectUri: redirectUriOf(platform),
      state,
      // This hash is the PKCE challenge for the method S256.
      codeChallenge: hashToken(codeVerifier),
    }),
  );
  const id = newId();
  const key = socialKeys.oauthSession(organizationId, id);
  const expiry = sessionExpiry();
  const isUser = 'userId' in starter;
  const secret: SessionSecret = {
    codeVerifier,
    ...(isUser ? {} : { linkToken: starter.linkToken }),
  };
  const session: OAuthSession = {
    ...key,
    id,
    organizationId,
    platform,
    purpose,
    status: 'PENDING',
    ...(isUser ? { startedById: starter.userId } : { connectLinkId: starter.connectLinkId }),
    ...(accountId ? { accountId } : {}),
    stateHash: hashToken(state),
    secret: await sealField(key, 'secret', secret),
    ...expiry,
  };
  const started = { authorizationUrl, sessionId: id, expiresAt: expiry.expiresAt };
  const claim: StateClaim = { organizationId, sessionId: id };
  await write(
    ...(await extraWrites(started)),
    planOrganizationExists(organizationId),
    create(key, session),
    create(socialKeys.oauthState(hashToken(state)), {
      ...claim,
      expiresAtSeconds: expiry.expiresAtSeconds,
    }),
  );

  return started;
}

async function checkAccount(
  organizationId: string,
  { platform, accountId }: SessionRequest,
): Promise<void> {
  if (!accountId) {
    return;
  }
  const account = await requireSocialAccount(organizationId, accountId);
  if (account.platform !== platform) {
    throw badRequest(`accountId must be an account of ${platform}`);
  }
}
