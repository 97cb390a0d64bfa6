import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import {
  type Connector,
  connectAccount,
  renewAccount,
} from '#lib/features/social/connection/connect-account.ts';
import { connectMessaging } from '#lib/features/social/connection/messaging-credential.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { absent, either, equals } from '#lib/platform/db/conditions.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { change, create, type ExtraWrites, type Write } from '#lib/platform/db/write.ts';
import { ApiError, badRequest, notFound, wrongState } from '#lib/platform/errors/failures.ts';
import type { Tokens } from '#lib/vendors/networks/network.ts';
import {
  type Choice,
  type ConnectionFailure,
  type OAuthSession,
  openField,
  type SessionTokens,
  tokensFor,
} from './oauth-session.ts';

/** Each connection calls the network, and writes the session in its transaction. */
const atOnce = 4;

type ConnectRequest = {
  readonly connector: Connector;
  readonly platformUserIds: readonly string[];
  /** The same for a repeated request, which continues after a crash. */
  readonly requestId: string;
};

/** A connected account without its tokens. */
export type ConnectedAccount = Omit<SocialAccount, 'accessToken' | 'refreshToken'>;

type Connections = {
  readonly accounts: readonly ConnectedAccount[];
  readonly failures: readonly ConnectionFailure[];
  /** The first failure, for callers that report only one. */
  readonly firstFailure: ApiError | undefined;
};

/** The result for a repeated request. */
type Marker = { readonly account: ConnectedAccount; readonly connectedBy: string };

const notReady = {
  PENDING: 'The OAuth session is still waiting for the authorization',
  FAILED: 'The OAuth session has failed. Start again',
  DONE: 'The OAuth session has already connected accounts. Start again',
} as const;

function sessionNotReady(state: keyof typeof notReady) {
  return wrongState(notReady[state], state);
}

/**
 * Connects the chosen accounts of a session. The first success ends the session, and uses up the
 * link that started it. So of concurrent requests, only one connects accounts.
 *
 * @throws 409 if the session is not ready.
 */
export async function connectChoices(
  session: OAuthSession,
  { connector, platformUserIds, requestId }: ConnectRequest,
): Promise<Connections> {
  const { status, connectedBy } = session;
  if (status !== 'READY' && connectedBy !== requestId) {
    throw sessionNotReady(status as keyof typeof notReady);
  }
  const wanted = [...new Set(platformUserIds)];
  const [tokens, markers] = await Promise.all([
    openField(session, 'tokens'),
    getMany<Marker>(wanted.map((id) => markerKey(session, id))),
  ]);
  const attempt = { session, tokens, connector, requestId };
  // All connections end before an unexpected failure is thrown.
  const results = await atMostAtOnce(atOnce, [...wanted.entries()], ([index, platformUserId]) =>
    connectOne(attempt, platformUserId, markers[index]).catch((failure: Error) => failure),
  );
  const failures: ConnectionFailure[] = [];
  const accounts: ConnectedAccount[] = [];
  for (const [index, result] of results.entries()) {
    if (!(result instanceof Error)) {
      accounts.push(result);
    } else if (result instanceof ApiError) {
      const { statusCode, message } = result;
      failures.push({ platformUserId: wanted[index] ?? '', statusCode, message });
    } else {
      throw result;
    }
  }

  return { accounts, failures, firstFailure: results.find((result) => result instanceof ApiError) };
}

type Attempt = {
  readonly session: OAuthSession;
  readonly tokens: SessionTokens | undefined;
  readonly connector: Connector;
  readonly requestId: string;
};

function markerKey({ organizationId, id }: OAuthSession, platformUserId: string) {
  return socialKeys.oauthConnection(organizationId, id, platformUserId);
}

/**
 * `marker` exists if a request has connected the account, possibly an earlier attempt of this
 * request.
 */
async function connectOne(
  attempt: Attempt,
  platformUserId: string,
  marker: Marker | undefined,
): Promise<ConnectedAccount> {
  const { session, tokens, requestId } = attempt;
  if (marker) {
    if (marker.connectedBy !== requestId) {
      throw sessionNotReady('DONE');
    }

    return marker.account;
  }
  const choice = session.choices?.find((offered) => offered.platformUserId === platformUserId);
  const granted = tokens && tokensFor(tokens, platformUserId);
  if (!choice || !granted) {
    throw notFound('Social account');
  }

  return connectWith(attempt, choice, granted);
}

function connectWith(
  attempt: Attempt,
  { platformUserId, name }: Choice,
  granted: Tokens,
): Promise<SocialAccount> {
  const { session, connector } = attempt;
  const { organizationId, platform, purpose, accountId } = session;
  const { accessToken, refreshToken, expiresInSeconds, scopes } = granted;
  const planExtraWrites: ExtraWrites<SocialAccount> = async (account) =>
    planConnection(attempt, platformUserId, account);
  if (purpose === 'messaging') {
    if (!refreshToken || !expiresInSeconds || !accountId || !('userId' in connector)) {
      throw badRequest('The network returned an incomplete token');
    }
    const given = {
      openId: platformUserId,
      accessToken,
      refreshToken,
      expiresIn: expiresInSeconds,
    };

    return connectMessaging(organizationId, connector.userId, accountId, given, planExtraWrites);
  }
  const details = {
    platform,
    platformUserId,
    platformUserName: name,
    accessToken,
    refreshToken,
    expiresIn: expiresInSeconds,
    permissions: scopes && [...scopes],
  };

  return accountId
    ? renewAccount(organizationId, connector, accountId, details, planExtraWrites)
    : connectAccount(organizationId, connector, details, planExtraWrites);
}

/** Planned in each connection's transaction, so that a link or session is never used twice. */
function planConnection(
  { session, requestId }: Attempt,
  platformUserId: string,
  { accessToken: _, refreshToken: __, ...account }: SocialAccount,
): readonly Write[] {
  const { organizationId, id, connectLinkId, expiresAtSeconds } = session;

  return [
    change(socialKeys.oauthSession(organizationId, id), {
      set: { status: 'DONE', connectedBy: requestId },
      when: either(equals('status', 'READY'), equals('connectedBy', requestId)),
      onConditionFailed: () => sessionNotReady('DONE'),
    }),
    create(
      markerKey(session, platformUserId),
      { account, connectedBy: requestId, expiresAtSeconds },
      () => sessionNotReady('DONE'),
    ),
    ...(connectLinkId
      ? [
          change(socialKeys.connectLink(organizationId, connectLinkId), {
            set: { usedAt: timestamp(), usedBy: id },
            when: either(absent('usedAt'), equals('usedBy', id)),
            onConditionFailed: () =>
              wrongState('The connect link has been used or deleted', 'USED'),
          }),
        ]
      : []),
  ];
}
