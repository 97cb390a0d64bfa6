import { randomBytes, randomUUID } from 'node:crypto';

/** What a network's tokens are like, as it issues them. */
export type TokenRules = {
  /** Stands at the beginning of an access token. */
  readonly prefix: string;
  /** How long an access token lives; null: until it is revoked. */
  readonly accessSeconds: number | null;
  /** How long one from the control API still lives, where it stands for one that is not new. */
  readonly issuedSeconds?: number;
  /** How long a refresh token lives; null: until it is revoked. */
  readonly refreshSeconds: number | null;
  /** A refresh token works once: used twice, all tokens that came of the same consent die. */
  readonly isRotating: boolean;
  /** All that the service asks for: what a token has where nothing else is said. */
  readonly scopes: readonly string[];
};

/** A pair of tokens, and whom it speaks for. */
export type Grant = {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** All pairs that came of one consent. */
  readonly familyId: string;
  readonly userId: string;
  readonly userName: string;
  /** Pages that a person's token can act for; none for a token that is an account's own. */
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
  readonly scopes?: readonly string[] | undefined;
  readonly expiresIn?: number | undefined;
};

export type TokenState = 'valid' | 'expired' | 'revoked' | 'unknown';

export type CheckedToken = { readonly state: TokenState; readonly grant: Grant | undefined };

export type TokenStore = {
  readonly issue: (request: GrantRequest) => Grant;
  readonly check: (accessToken: string) => CheckedToken;
  /** A new pair for a refresh token, or undefined where it is dead: the family may die of it. */
  readonly refresh: (refreshToken: string) => Grant | undefined;
  /** A living access token gets its full time again: the same token, or a new one beside it. */
  readonly extend: (accessToken: string, how: 'inPlace' | 'asNew') => Grant | undefined;
  /** Ends the whole family of an access or refresh token; false where there is none. */
  readonly revoke: (token: string) => boolean;
};

/** Keeps one network's tokens, on the sandbox's clock. */
export function createTokenStore(rules: TokenRules, clock: () => Date): TokenStore {
  const grants = new Map<string, Grant>();
  const usedRefreshTokens = new Set<string>();
  const deadFamilies = new Set<string>();
  const keep = (grant: Grant): Grant => {
    grants.set(grant.accessToken, grant);

    return grant;
  };
  const check = (accessToken: string): CheckedToken => {
    const grant = grants.get(accessToken);

    return { state: stateOf(grant, deadFamilies, clock()), grant };
  };

  return {
    issue: (request) => {
      const { expiresIn = rules.issuedSeconds } = request;

      return keep(makeGrant(rules, { ...request, expiresIn }, randomUUID(), clock()));
    },
    check,
    refresh: (refreshToken) => {
      const grant = [...grants.values()].findLast((one) => one.refreshToken === refreshToken);

      if (grant === undefined || !isRefreshable(grant, deadFamilies, clock())) {
        return undefined;
      }

      if (rules.isRotating && usedRefreshTokens.has(refreshToken)) {
        deadFamilies.add(grant.familyId);

        return undefined;
      }

      usedRefreshTokens.add(refreshToken);

      return keep(renewed(rules, grant, clock()));
    },
    extend: (accessToken, how) => {
      const { state, grant } = check(accessToken);

      if (grant === undefined || state !== 'valid') {
        return undefined;
      }

      const longer = renewed({ ...rules, isRotating: false }, grant, clock());

      return keep(how === 'inPlace' ? { ...longer, accessToken } : longer);
    },
    revoke: (token) => {
      const grant =
        grants.get(token) ?? [...grants.values()].find((one) => one.refreshToken === token);

      if (grant === undefined) {
        return false;
      }

      deadFamilies.add(grant.familyId);

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
    scopes: request.scopes ?? rules.scopes,
    issuedAt: at,
    expiresAt: later(at, request.expiresIn ?? rules.accessSeconds),
    refreshExpiresAt: later(at, rules.refreshSeconds),
  };
}

/** The same consent with new tokens; a refresh token that does not rotate stays as it is. */
function renewed(rules: TokenRules, grant: Grant, at: Date): Grant {
  const fresh = makeGrant(rules, { ...grant, expiresIn: undefined }, grant.familyId, at);
  const { refreshToken, refreshExpiresAt } = rules.isRotating ? fresh : grant;

  return { ...fresh, refreshToken, refreshExpiresAt };
}

function stateOf(grant: Grant | undefined, dead: ReadonlySet<string>, at: Date): TokenState {
  if (grant === undefined) {
    return 'unknown';
  }

  if (dead.has(grant.familyId)) {
    return 'revoked';
  }

  return grant.expiresAt !== null && grant.expiresAt <= at ? 'expired' : 'valid';
}

function isRefreshable(grant: Grant, dead: ReadonlySet<string>, at: Date): boolean {
  return (
    !dead.has(grant.familyId) && (grant.refreshExpiresAt === null || grant.refreshExpiresAt > at)
  );
}

function later(at: Date, seconds: number | null): Date | null {
  return seconds === null ? null : new Date(at.getTime() + seconds * 1_000);
}

function randomText(): string {
  return randomBytes(24).toString('base64url').replaceAll('-', 'A').replaceAll('_', 'B');
}
