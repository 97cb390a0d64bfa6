import { randomBytes, randomUUID } from 'node:crypto';

/** The rules for a network's tokens. */
export type TokenRules = {
  /** The prefix of an access token. */
  readonly prefix: string;
  /** The lifetime of an access token. Null if it is valid until revoked. */
  readonly accessSeconds: number | null;
  /** The remaining lifetime of tokens from the control API, to simulate older tokens. */
  readonly issuedSeconds?: number;
  /** The lifetime of a refresh token. Null if it is valid until revoked. */
  readonly refreshSeconds: number | null;
  /** A refresh token works once. Reuse revokes all tokens of the same consent. */
  readonly isRotating: boolean;
  /** The default scopes: all that the service requests. */
  readonly scopes: readonly string[];
};

/** A pair of tokens, and the account or person that it acts for. */
export type Grant = {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** All token pairs of one consent have the same value. */
  readonly familyId: string;
  readonly userId: string;
  readonly userName: string;
  /**
   * True for a person's token on networks where people manage pages. Otherwise, it is an account's
   * token.
   */
  readonly isPerson: boolean;
  /** The person whose token was used to create this page token. */
  readonly personId?: string | undefined;
  /** Pages that a person's token can act for. */
  readonly pages: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  readonly scopes: readonly string[];
  readonly issuedAt: Date;
  readonly expiresAt: Date | null;
  readonly refreshExpiresAt: Date | null;
};

export type GrantRequest = {
  readonly userId: string;
  readonly userName?: string | undefined;
  readonly pages?: Grant['pages'] | undefined;
  /** True by default if there are pages. */
  readonly isPerson?: boolean | undefined;
  readonly personId?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly expiresIn?: number | undefined;
};

export type TokenState = 'valid' | 'expired' | 'revoked' | 'unknown';

export type CheckedToken = { readonly state: TokenState; readonly grant: Grant | undefined };

export type TokenStore = {
  readonly issue: (request: GrantRequest) => Grant;
  readonly check: (accessToken: string) => CheckedToken;
  /** True if the account has tokens that were not revoked, even if they have expired. */
  readonly hasGrant: (userId: string) => boolean;
  /**
   * Returns a new pair, or `undefined` if the refresh token is invalid. Reuse may revoke the
   * family.
   */
  readonly refresh: (refreshToken: string) => Grant | undefined;
  /**
   * Extends a valid access token, by default to its full lifetime. Keeps the token or issues a new
   * one.
   */
  readonly extend: (
    accessToken: string,
    how: 'inPlace' | 'asNew',
    seconds?: number,
  ) => Grant | undefined;
  /** Revokes the family of an access or refresh token. Returns false if the token is unknown. */
  readonly revoke: (token: string) => boolean;
};

/** Creates a network's token store on the sandbox's clock. */
export function createTokenStore(rules: TokenRules, clock: () => Date): TokenStore {
  const grants = new Map<string, Grant>();
  const usedRefreshTokens = new Set<string>();
  const revokedFamilies = new Set<string>();
  const keep = (grant: Grant): Grant => {
    grants.set(grant.accessToken, grant);

    return grant;
  };
  const check = (accessToken: string): CheckedToken => {
    const grant = grants.get(accessToken);

    return { state: stateOf(grant, revokedFamilies, clock()), grant };
  };

  return {
    issue: (request) => {
      const { expiresIn = rules.issuedSeconds } = request;

      return keep(makeGrant(rules, { ...request, expiresIn }, randomUUID(), clock()));
    },
    check,
    hasGrant: (wanted) =>
      [...grants.values()].some(
        ({ userId, familyId }) => userId === wanted && !revokedFamilies.has(familyId),
      ),
    refresh: (refreshToken) => {
      const grant = [...grants.values()].findLast((one) => one.refreshToken === refreshToken);

      if (grant === undefined || !isRefreshable(grant, revokedFamilies, clock())) {
        return undefined;
      }

      if (rules.isRotating && usedRefreshTokens.has(refreshToken)) {
        revokedFamilies.add(grant.familyId);

        return undefined;
      }

      usedRefreshTokens.add(refreshToken);

      return keep(renewed(rules, grant, clock()));
    },
    extend: (accessToken, how, seconds) => {
      const { state, grant } = check(accessToken);

      if (grant === undefined || state !== 'valid') {
        return undefined;
      }

      const accessSeconds = seconds ?? rules.accessSeconds;
      const full = { ...rules, accessSeconds, isRotating: false };
      const longer = renewed(full, grant, clock());

      return keep(how === 'inPlace' ? { ...longer, accessToken } : longer);
    },
    revoke: (token) => {
      const grant =
        grants.get(token) ?? [...grants.values()].find((one) => one.refreshToken === token);

      if (grant === undefined) {
        return false;
      }

      revokedFamilies.add(grant.familyId);

      return true;
    },
  };
}

function makeGrant(rules: TokenRules, request: GrantRequest, familyId: string, at: Date): Grant {
  return {
    accessToken: `${rules.prefix}${randomText()}`,
    refreshToken: `refresh-${randomText()}`,
    familyId,
    userId: request.userId,
    userName: request.userName ?? `Account ${request.userId}`,
    pages: request.pages ?? [],
    isPerson: request.isPerson ?? (request.pages ?? []).length > 0,
    personId: request.personId,
    scopes: request.scopes ?? rules.scopes,
    issuedAt: at,
    expiresAt: later(at, request.expiresIn ?? rules.accessSeconds),
    refreshExpiresAt: later(at, rules.refreshSeconds),
  };
}

/** Issues new tokens for the same consent. Keeps a refresh token that does not rotate. */
function renewed(rules: TokenRules, grant: Grant, at: Date): Grant {
  const fresh = makeGrant(rules, { ...grant, expiresIn: undefined }, grant.familyId, at);
  const { refreshToken, refreshExpiresAt } = rules.isRotating ? fresh : grant;

  return { ...fresh, refreshToken, refreshExpiresAt };
}

function stateOf(grant: Grant | undefined, revoked: ReadonlySet<string>, at: Date): TokenState {
  if (grant === undefined) {
    return 'unknown';
  }

  if (revoked.has(grant.familyId)) {
    return 'revoked';
  }

  return grant.expiresAt !== null && grant.expiresAt <= at ? 'expired' : 'valid';
}

function isRefreshable(grant: Grant, revoked: ReadonlySet<string>, at: Date): boolean {
  return (
    !revoked.has(grant.familyId) && (grant.refreshExpiresAt === null || grant.refreshExpiresAt > at)
  );
}

function later(at: Date, seconds: number | null): Date | null {
  return seconds === null ? null : new Date(at.getTime() + seconds * 1_000);
}

function randomText(): string {
  return randomBytes(24).toString('base64url').replaceAll('-', 'A').replaceAll('_', 'B');
}
