import { findSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { cutToLength, storableText } from '#lib/platform/characters.ts';
import { config } from '#lib/platform/config.ts';
import { hashToken, newOneTimeToken } from '#lib/platform/crypto/one-time-token.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, remove } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import type { ConsentChoice } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { oauthOf } from '#lib/vendors/networks/ports/oauth.ts';
import { missingPublishingScopes } from '#lib/vendors/networks/scopes.ts';
import type { Platform } from '#schemas/platforms.ts';
import {
  type ConsentFailure,
  findSession,
  type OAuthSession,
  openField,
  packTokens,
  redirectUriOf,
  type SessionSecret,
  sealField,
} from './oauth-session.ts';
import type { StateClaim } from './start-session.ts';

/** The parameters that the network appends to the redirect URI. */
export type ConsentAnswer = {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly error?: string | undefined;
};

/** A person who manages more pages can give access to only some of them. */
const maxChoices = 200;
const maxNameLength = 200;

/**
 * Processes a network's response to an authorization, and returns where to redirect the browser.
 *
 * The caller is not authenticated. The `state` identifies the session, works once, and is valid
 * only for the network that it was sent to. An unknown, used or expired state changes nothing.
 */
export async function finishConsent(platform: Platform, answer: ConsentAnswer): Promise<string> {
  const session = answer.state ? await takeState(platform, hashToken(answer.state)) : undefined;
  if (!session) {
    return `${config.appUrl}/social/connect?error=state`;
  }
  const secret = await openField(session, 'secret');
  const outcome = secret ? await outcomeOf(session, secret, answer) : failed('REJECTED');
  const finish = newOneTimeToken();
  await writeIfMet(
    change(socialKeys.oauthSession(session.organizationId, session.id), {
      set: { ...outcome, secret: null, finishHash: hashToken(finish) },
    }),
  );

  return secret?.linkToken
    ? `${config.publicBaseUrl}/connect/${secret.linkToken}?session=${session.id}`
    : `${config.appUrl}/social/connect?session=${session.id}&finish=${finish}`;
}

/**
 * Returns the session of a state, and deletes the state. Only one of several parallel requests
 * succeeds.
 */
async function takeState(platform: Platform, stateHash: string): Promise<OAuthSession | undefined> {
  const key = socialKeys.oauthState(stateHash);
  const claim = await get<StateClaim>(key);
  const session = claim && (await findSession(claim.organizationId, claim.sessionId));
  if (session?.platform !== platform) {
    return undefined;
  }

  return (await writeIfMet(remove(key))) ? session : undefined;
}

type Outcome =
  | Pick<OAuthSession, 'choices' | 'tokens' | 'status'>
  | Pick<OAuthSession, 'failure' | 'status'>;

function failed(failure: ConsentFailure): Outcome {
  return { status: 'FAILED', failure };
}

async function outcomeOf(
  session: OAuthSession,
  { codeVerifier }: SessionSecret,
  { code, error }: ConsentAnswer,
): Promise<Outcome> {
  if (error !== undefined || !code) {
    return failed(isDenial(error) ? 'DENIED' : 'REJECTED');
  }
  try {
    return await exchange(session, code, codeVerifier);
  } catch (failure) {
    if (!(failure instanceof NetworkError)) {
      throw failure;
    }
    logger.warn('An authorization at a network failed', {
      platform: session.platform,
      failure: describeFailure(failure),
    });

    return failed(failureOf(failure));
  }
}

/** `access_denied` is the standard; LinkedIn reports `user_cancelled_login` and similar. */
function isDenial(error = ''): boolean {
  return /denied|cancel/i.test(error);
}

function failureOf({ kind }: NetworkError): ConsentFailure {
  if (kind === 'scopeMissing') {
    return 'SCOPE_MISSING';
  }

  return kind === 'tokenInvalid' || kind === 'refused' || kind === 'notFound'
    ? 'REJECTED'
    : 'UNAVAILABLE';
}

async function exchange(
  session: OAuthSession,
  code: string,
  codeVerifier: string,
): Promise<Outcome> {
  const { organizationId, platform, purpose, accountId } = session;
  const api = oauthOf(platform, purpose);
  if (!api) {
    return failed('REJECTED');
  }
  const redirectUri = redirectUriOf(platform);
  const tokens = await api.exchangeCode({ code, redirectUri, codeVerifier });
  const isScopeMissing = missingPublishingScopes(platform, tokens.scopes ?? []).length > 0;
  if (purpose === 'publishing' && isScopeMissing) {
    return failed('SCOPE_MISSING');
  }
  const [found, account] = await Promise.all([
    api.listChoices(tokens),
    accountId ? findSocialAccount(organizationId, accountId) : undefined,
  ]);
  // The second kind of token has different user ids, so it cannot identify the account.
  const isBound = accountId !== undefined && purpose === 'publishing';
  const offered = isBound
    ? found.filter(({ platformUserId }) => platformUserId === account?.platformUserId)
    : found;
  if (offered.length === 0) {
    return failed(isBound ? 'OTHER_ACCOUNT' : 'NO_ACCOUNT');
  }

  return ready(session, offered);
}

async function ready(
  { organizationId, id }: OAuthSession,
  offered: readonly ConsentChoice[],
): Promise<Outcome> {
  const distinct = new Map(offered.map((choice) => [choice.platformUserId, choice]));
  const choices = [...distinct.values()].slice(0, maxChoices);

  return {
    status: 'READY',
    choices: choices.map(({ platformUserId, name, kind, avatarUrl }) => ({
      platformUserId,
      name: cutToLength(storableText(name).trim(), maxNameLength) || platformUserId,
      kind,
      avatarUrl,
    })),
    tokens: await sealField(
      socialKeys.oauthSession(organizationId, id),
      'tokens',
      packTokens(choices),
    ),
  };
}
