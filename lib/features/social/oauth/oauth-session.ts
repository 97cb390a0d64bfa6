import {
  findSocialAccount,
  type SocialAccountClaim,
} from '#lib/features/social/accounts/accounts.ts';
import { epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { contextOf, decrypt, encrypt } from '#lib/platform/crypto/encryption.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get, getMany } from '#lib/platform/db/read.ts';
import { apiError, requireFound } from '#lib/platform/errors/failures.ts';
import { platformNames } from '#lib/vendors/networks/capabilities.ts';
import type { ConsentChoice, ConsentPurpose, Tokens } from '#lib/vendors/networks/network.ts';
import type { Platform } from '#schemas/platforms.ts';
import type { SessionStatus } from '#schemas/social-oauth.ts';

/** The reason why an authorization resulted in nothing to connect. */
export type ConsentFailure =
  | 'DENIED'
  | 'SCOPE_MISSING'
  | 'REJECTED'
  | 'UNAVAILABLE'
  | 'NO_ACCOUNT'
  | 'OTHER_ACCOUNT';

export type Choice = Omit<ConsentChoice, 'tokens'>;

/** An account that could not be connected. */
export type ConnectionFailure = {
  readonly platformUserId: string;
  readonly statusCode: number;
  readonly message: string;
};

/**
 * An authorization at a network. It expires after 15 minutes, together with its encrypted tokens.
 */
export type OAuthSession = Key & {
  readonly id: string;
  readonly organizationId: string;
  readonly platform: Platform;
  readonly purpose: ConsentPurpose;
  readonly status: SessionStatus;
  /** Absent if a link started it. */
  readonly startedById?: string;
  /** The id of the link that started it. Only the link's page can read and finish the session. */
  readonly connectLinkId?: string;
  /** The id of the account to reconnect. */
  readonly accountId?: string;
  /** With this hash, the claim is removed together with the organization. */
  readonly stateHash?: string;
  readonly failure?: ConsentFailure;
  /** The hash of a secret that only the browser of the consenting person receives. */
  readonly finishHash?: string;
  readonly choices?: readonly Choice[];
  /** The encrypted `SessionSecret`, until the network responds. */
  readonly secret?: string;
  /** Encrypted `SessionTokens`. */
  readonly tokens?: string;
  /** The id of the request that connected the first account. Only that request may connect more. */
  readonly connectedBy?: string;
  /** The accounts that the latest form on a link's page could not connect. */
  readonly failures?: readonly ConnectionFailure[];
  readonly expiresAt: string;
  readonly expiresAtSeconds: number;
};

const sessionSeconds = 15 * 60;

/** Returns the expiry attributes of a session and its other items. */
export function sessionExpiry() {
  return {
    expiresAt: timestamp(sessionSeconds * 1_000),
    expiresAtSeconds: epochSeconds(sessionSeconds),
  };
}

export type SessionSecret = { readonly codeVerifier: string; readonly linkToken?: string };

/**
 * Tokens by account. On some networks, all accounts of a person share the same tokens, which are
 * stored once.
 */
export type SessionTokens = {
  readonly grants: readonly Tokens[];
  /** Indexes of `grants`, by `platformUserId`. */
  readonly grantOf: Readonly<Record<string, number>>;
};

export function packTokens(
  choices: ReadonlyArray<Pick<ConsentChoice, 'platformUserId' | 'tokens'>>,
): SessionTokens {
  const grants = [...new Map(choices.map(({ tokens }) => [tokens.accessToken, tokens])).values()];
  const position = new Map(grants.map(({ accessToken }, index) => [accessToken, index]));

  return {
    grants,
    grantOf: Object.fromEntries(
      choices.map(({ platformUserId, tokens }) => [
        platformUserId,
        position.get(tokens.accessToken) ?? 0,
      ]),
    ),
  };
}

export function tokensFor(
  { grants, grantOf }: SessionTokens,
  platformUserId: string,
): Tokens | undefined {
  return Object.hasOwn(grantOf, platformUserId) ? grants[grantOf[platformUserId] ?? -1] : undefined;
}

type SealedField = { readonly secret: SessionSecret; readonly tokens: SessionTokens };

/** Encrypts a field of a session. A copy on another session cannot be decrypted. */
export function sealField<Field extends keyof SealedField>(
  session: Key,
  field: Field,
  value: SealedField[Field],
): Promise<string> {
  return encrypt(JSON.stringify(value), contextOf(session, field));
}

export async function openField<Field extends keyof SealedField>(
  { organizationId, id, ...session }: OAuthSession,
  field: Field,
): Promise<SealedField[Field] | undefined> {
  const sealed = session[field];
  const key = socialKeys.oauthSession(organizationId, id);

  return sealed === undefined
    ? undefined
    : (JSON.parse(await decrypt(sealed, contextOf(key, field))) as SealedField[Field]);
}

/** Networks require an exact match with the URI that is registered for the app. */
export function redirectUriOf(platform: Platform): string {
  return `${config.publicBaseUrl}/social/oauth/${platform.toLowerCase()}/callback`;
}

/** Returns a session that has not expired. */
export function findSession(
  organizationId: string,
  sessionId: string,
): Promise<OAuthSession | undefined> {
  return get<OAuthSession>(socialKeys.oauthSession(organizationId, sessionId));
}

/**
 * Returns a session that a user started. Sessions of links can only be finished on the link's page,
 * because the link would otherwise stay usable.
 *
 * @throws 404
 */
export async function requireSession(
  organizationId: string,
  sessionId: string,
): Promise<OAuthSession> {
  const session = await findSession(organizationId, sessionId);

  return requireFound(session?.connectLinkId ? undefined : session, 'OAuth session');
}

/** Returns true if `finish` is the secret from the callback's redirect. */
function provesConsent({ finishHash }: OAuthSession, finish: string | undefined): boolean {
  return finish !== undefined && hashToken(finish) === finishHash;
}

/**
 * A person who starts a session can send its authorization to somebody else. So only the browser
 * that returns from the network can see and connect the accounts.
 *
 * @throws 403 for a session that is ready, without its secret.
 */
export function requireConsent(session: OAuthSession, finish: string | undefined): void {
  if (session.status === 'READY' && !provesConsent(session, finish)) {
    throw apiError(
      'CONSENT_PROOF_INVALID',
      'Only the browser that came back from the network can finish this session',
    );
  }
}

export type DescribedChoice = Choice & {
  readonly connected: 'NONE' | 'HERE' | 'ELSEWHERE';
  /** The organization's own account, if `connected` is HERE. */
  readonly accountId?: string;
};

/** Adds who has connected each choice, without revealing other organizations. */
export async function describeChoices({
  organizationId,
  platform,
  choices = [],
}: OAuthSession): Promise<readonly DescribedChoice[]> {
  const claims = await getMany<SocialAccountClaim>(
    choices.map(({ platformUserId }) => socialKeys.socialAccountClaim(platform, platformUserId)),
  );

  return choices.map((choice, index) => {
    const claim = claims[index];
    if (!claim) {
      return { ...choice, connected: 'NONE' };
    }

    return claim.organizationId === organizationId
      ? { ...choice, connected: 'HERE', accountId: claim.accountId }
      : { ...choice, connected: 'ELSEWHERE' };
  });
}

/** @throws 403 like `requireConsent`. */
export async function presentSession(session: OAuthSession, finish: string | undefined) {
  requireConsent(session, finish);
  const [choices, expected] = await Promise.all([
    provesConsent(session, finish) ? describeChoices(session) : [],
    session.failure === 'OTHER_ACCOUNT' ? findExpected(session) : undefined,
  ]);

  return { ...session, error: explain(session, expected?.platformUserName), choices };
}

function findExpected({ organizationId, accountId }: OAuthSession) {
  return accountId === undefined ? undefined : findSocialAccount(organizationId, accountId);
}

/** Returns the error message of a failed session. */
function explain({ platform, failure }: OAuthSession, expectedName = 'the account'): string | null {
  if (!failure) {
    return null;
  }
  const network = platformNames[platform];

  return {
    DENIED: `Access was denied at ${network}. Start again and allow it`,
    SCOPE_MISSING: `A required permission was not granted at ${network}. Start again and allow all permissions`,
    REJECTED: `${network} rejected the authorization. Start again`,
    UNAVAILABLE: `${network} is temporarily unavailable. Start again in a few minutes`,
    NO_ACCOUNT: `This person has no account at ${network} that can be connected. Start again as somebody who has`,
    OTHER_ACCOUNT: `${network} did not grant access to "${expectedName}". Start again as the person who manages it`,
  }[failure];
}
