import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { handler as tokenRefresh } from '#functions/jobs/token-refresh.ts';
import { openToken, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { deactivateAccount } from '#lib/features/social/tokens/deactivate-account.ts';
import { freshCredentials, withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { refreshToken } from '#lib/features/social/tokens/refresh-token.ts';
import { dayMs, hourMs, minuteMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { dueIn } from '#lib/platform/db/due-work.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { discard, ensure, write } from '#lib/platform/db/write.ts';
import { logger } from '#lib/platform/log/logger.ts';
import type { Platform } from '#schemas/platforms.ts';
import { refreshSocialAccountToken } from '#schemas/social.ts';
import {
  type DynamoDbProxy,
  startDynamoDbProxy,
} from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call, lambdaContext } from '#tests/support/api.ts';
import { runInProcess } from '#tests/support/doomed-call.ts';
import { logSince, placeInLog } from '#tests/support/log-book.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import { connectionBody, storeSocialAccount } from '#tests/support/social-accounts.ts';

const twitter = sandbox.network('TWITTER');
const networkTimeout = process.env.NETWORK_TIMEOUT_MS;

let proxy: DynamoDbProxy;

beforeAll(async () => {
  proxy = await startDynamoDbProxy({ target: String(process.env.DYNAMODB_ENDPOINT) });
});
afterEach(async () => {
  setClock();
  process.env.NETWORK_TIMEOUT_MS = networkTimeout;
  proxy.faults.clear();
  await sandbox.clearFaults();
});
afterAll(() => proxy.close());

type Options = {
  readonly platform?: Platform;
  /** When our record says the token expires, relative to now. */
  readonly endsInMs?: number;
  /** When the network's token really expires, in seconds. */
  readonly livesSeconds?: number;
};

/** Creates an account whose two-hour token expires in the given time. */
async function withAccount(options: Options = {}) {
  const { platform = 'TWITTER', endsInMs = 2 * hourMs, livesSeconds = 7_200 } = options;
  const owner = await newAccount();
  const connection = await connectionBody({ platform, expiresIn: livesSeconds });
  const account = await storeSocialAccount(owner.organizationId, {
    platform,
    platformUserId: connection.platformUserId,
    accessToken: connection.accessToken,
    ...('refreshToken' in connection ? { refreshToken: connection.refreshToken } : {}),
    tokenIssuedAt: timestamp(endsInMs - 2 * hourMs),
    tokenExpiresAt: timestamp(endsInMs),
    ...dueIn('TOKEN_REFRESH', timestamp(endsInMs - 30 * minuteMs)),
  });

  return { owner, account, connection, params: { account_id: account.id } };
}

async function stored({ organizationId, id }: SocialAccount): Promise<SocialAccount> {
  return (await get<SocialAccount>(keys.socialAccount(organizationId, id))) as SocialAccount;
}

/** Counts the network's token exchanges for this secret. */
async function exchanges(secret: string, platform: Platform = 'TWITTER'): Promise<number> {
  const asked = await sandbox.requests({ service: platform.toLowerCase(), contains: secret });

  return asked.filter(({ path }) => /(token|accessToken)\/?$/.test(path)).length;
}

function runJob() {
  return tokenRefresh(undefined, lambdaContext(300_000));
}

async function subjectsTo({ email }: Account): Promise<readonly string[]> {
  return (await mailsTo(email)).map(({ subject }) => subject);
}

describe('a token that is about to expire', () => {
  // One token of each kind: single-use, lasting, and extended; and both that are revoked on reuse.
  it.each(['TWITTER', 'TIKTOK', 'YOUTUBE', 'LINKEDIN', 'INSTAGRAM'] as const)(
    'of %s is refreshed once for 20 concurrent callers, which all get the new one',
    async (platform) => {
      const { account, connection } = await withAccount({ platform, endsInMs: 20 * minuteMs });
      const secret = String(
        'refreshToken' in connection ? connection.refreshToken : connection.accessToken,
      );
      const tokens = await Promise.all(
        Array.from({ length: 20 }, async () => (await freshCredentials(account)).accessToken),
      );
      const now = await stored(account);

      expect(await exchanges(secret, platform)).toBe(1);
      expect(new Set(tokens).size).toBe(1);
      expect(tokens[0]).not.toBe(connection.accessToken);
      expect(await openToken(now, 'accessToken')).toBe(tokens[0]);
      expect(now).toMatchObject({ isActive: true, tokenVersion: 2 });
      expect(now.refreshLeaseUntil).toBeUndefined();
      const pages = await withFreshToken(now, (network, fresh) => network.listPages(fresh));
      expect(pages[0]?.platformPageId).toBe(account.platformUserId);
      // Removes the account so that the job in later tests does not find its one-hour token.
      await write(discard(keys.socialAccount(account.organizationId, account.id)));
    },
  );

  it('is not refreshed too early', async () => {
    const { account, connection } = await withAccount({ endsInMs: 100 * minuteMs });

    expect((await freshCredentials(account)).accessToken).toBe(connection.accessToken);
    expect(await runJob()).toEqual({ refreshed: 0, failed: 0 });
    expect(await exchanges(String(connection.refreshToken))).toBe(0);
  });

  it('is read from the table when a caller holds an outdated record', async () => {
    const { account, connection } = await withAccount({ endsInMs: 20 * minuteMs });
    const renewed = await refreshToken(account);
    const late = await refreshToken(account);

    expect(late.tokenVersion).toBe(2);
    expect(await openToken(late, 'accessToken')).toBe(await openToken(renewed, 'accessToken'));
    expect(await exchanges(String(connection.refreshToken))).toBe(1);
  });

  it('is used until it expires while the network is down, and refreshed afterwards', async () => {
    const { account, connection, owner } = await withAccount({ endsInMs: 20 * minuteMs });
    await sandbox.addFault({ service: 'twitter', path: 'oauth2/token', mode: 'refuse' });
    expect((await freshCredentials(account)).accessToken).toBe(connection.accessToken);
    expect(await runJob()).toEqual({ refreshed: 0, failed: 1 });
    setClock(() => Date.now() + hourMs);
    await expect(freshCredentials(await stored(account))).rejects.toMatchObject({
      name: 'NetworkError',
    });
    expect((await stored(account)).isActive).toBe(true);
    await sandbox.clearFaults();

    expect(await runJob()).toEqual({ refreshed: 1, failed: 0 });
    expect((await stored(account)).tokenVersion).toBe(2);
    expect(await subjectsTo(owner)).toEqual([]);
  });
});

describe('the token-refresh job', () => {
  it('refreshes due and expired tokens, once in concurrent runs', async () => {
    const startedAtMs = Date.now();
    setClock(() => startedAtMs);
    const accounts = await Promise.all(
      [20 * minuteMs, -dayMs, 100 * minuteMs].map((endsInMs) => withAccount({ endsInMs })),
    );
    const reports = await Promise.all([runJob(), runJob()]);
    const versions = await Promise.all(
      accounts.map(async ({ account }) => (await stored(account)).tokenVersion),
    );

    expect(reports.reduce((sum, { refreshed }) => sum + refreshed, 0)).toBe(2);
    expect(versions).toEqual([2, 2, 1]);
    const [first] = accounts;
    const { dueAt, tokenExpiresAt } = await stored(first?.account as SocialAccount);
    expect(Date.parse(String(tokenExpiresAt)) - Date.parse(String(dueAt))).toBe(30 * minuteMs);
    expect(await runJob()).toEqual({ refreshed: 0, failed: 0 });
  });

  it('deactivates an account that the network rejects permanently, and notifies the owners once', async () => {
    const { owner, account, connection } = await withAccount({ endsInMs: -hourMs });
    await twitter.revokeTokens(connection.accessToken);
    expect(await runJob()).toEqual({ refreshed: 0, failed: 1 });
    const now = await stored(account);

    expect(now).toMatchObject({ isActive: false, tokenVersion: 1 });
    expect(now.inactiveReason).toContain('rejected the token renewal');
    expect(now.dueAt).toBeUndefined();
    expect(await runJob()).toEqual({ refreshed: 0, failed: 0 });
    await expect(freshCredentials(now)).rejects.toMatchObject({ kind: 'tokenInvalid' });
    expect(await subjectsTo(owner)).toHaveLength(1);
  });

  it('keeps an account active if it gets a newer token while the old one is rejected', async () => {
    const { owner, account } = await withAccount({ endsInMs: 20 * minuteMs });
    await refreshToken(account);

    expect(await deactivateAccount(account, 'Refused')).toMatchObject({
      isActive: true,
      tokenVersion: 2,
    });
    expect(await subjectsTo(owner)).toEqual([]);
  });

  it.each([
    ['before calling the network, refreshes the token later', 2, 'after', true],
    ['between the response and the write, reports that the new token is lost', 3, 'before', false],
    ['after the write, loses nothing', 3, 'after', true],
  ] as const)('when killed %s', async (_, nth, when, isAlive) => {
    const { account } = await withAccount({ endsInMs: -minuteMs });
    const run = await runInProcess('jobs/token-refresh', {}, proxy.endpoint);
    const keyPrefix = `ORG#${account.organizationId}/SOCIAL_ACCOUNT#`;
    proxy.faults.add({
      operation: 'UpdateItem',
      keyPrefix,
      nth,
      fault: { kind: 'kill', when, victim: run.kill },
    });
    expect(await run.answer).toBeUndefined();
    proxy.faults.clear();
    setClock(() => Date.now() + 20 * minuteMs);
    await runJob();
    const now = await stored(account);

    expect(now.isActive).toBe(isAlive);
    expect(now.tokenVersion).toBe(isAlive ? 2 : 1);
    expect(now.inactiveReason ?? '').toContain(isAlive ? '' : 'was interrupted');
  });

  it('deactivates an account only for a definite rejection, not for a missing response', async () => {
    process.env.NETWORK_TIMEOUT_MS = '500';
    const { account } = await withAccount({ endsInMs: -minuteMs });
    await sandbox.addFault({
      service: 'twitter',
      path: 'oauth2/token',
      mode: 'hang-after',
      times: 1,
    });
    expect(await runJob()).toEqual({ refreshed: 0, failed: 1 });
    expect((await stored(account)).isActive).toBe(true);
    setClock(() => Date.now() + 20 * minuteMs);
    await runJob();

    expect((await stored(account)).inactiveReason).toContain('was interrupted');
  });

  it('checks a non-refreshable token with the network when it expires', async () => {
    const [alive, dead] = await Promise.all([
      withAccount({ platform: 'FACEBOOK', endsInMs: -minuteMs }),
      withAccount({ platform: 'FACEBOOK', endsInMs: -minuteMs }),
    ]);
    await sandbox.network('FACEBOOK').revokeTokens(dead.connection.accessToken);
    await runJob();
    const [kept, lost] = await Promise.all([stored(alive.account), stored(dead.account)]);

    expect(kept.isActive).toBe(true);
    expect(kept.tokenExpiresAt && kept.tokenExpiresAt > timestamp()).toBe(true);
    expect(lost.isActive).toBe(false);
    expect(lost.inactiveReason).toContain('has expired');
    expect(await subjectsTo(dead.owner)).toHaveLength(1);
  });
});

describe('a call with a token that the network rejects early', () => {
  it('is retried with a new token', async () => {
    const { account } = await withAccount({ endsInMs: 100 * minuteMs, livesSeconds: -1 });
    const pages = await withFreshToken(account, (network, fresh) => network.listPages(fresh));

    expect(pages).toHaveLength(1);
    expect((await stored(account)).tokenVersion).toBe(2);
  });
});

describe('POST /social/accounts/{account_id}/refresh-token', () => {
  const refresh = (owner: Account, params: { account_id: string }, body: object = {}) =>
    call(refreshSocialAccountToken, { token: owner.token, params, body });

  it('returns the new token pair, which the network accepts', async () => {
    const { owner, account, params } = await withAccount();
    const { body } = await refresh(owner, params);
    const now = await stored(account);

    expect(body.tokenInfo).toMatchObject({
      accessToken: await openToken(now, 'accessToken'),
      refreshToken: await openToken(now, 'refreshToken'),
      expiresIn: 7_200,
      tokenType: 'Bearer',
      refreshedAt: now.tokenIssuedAt,
    });
  });

  it('stores the new token pair even when no other record can be written with it', async () => {
    const { account } = await withAccount();
    const absent = keys.socialAccount(account.organizationId, 'absent');

    const renewal = refreshToken(account, undefined, async () => [
      ensure(absent, { refused: () => new Error('This is not there') }),
    ]);

    await expect(renewal).rejects.toThrow('This is not there');
    const now = await stored(account);
    expect(now.tokenVersion).toBe(account.tokenVersion + 1);
    expect(now.accessToken).not.toBe(account.accessToken);
  });

  it('accepts a refresh token from a user and reactivates the account', async () => {
    const { owner, account, params } = await withAccount();
    await deactivateAccount(account, 'The token was revoked');
    const { platformUserId } = account;
    const brought = await connectionBody({ platform: 'TWITTER', platformUserId });
    const answer = await refresh(owner, params, { refreshToken: brought.refreshToken });

    expect(answer.status).toBe(200);
    expect(await stored(account)).toMatchObject({ isActive: true, tokenVersion: 2 });
  });

  it("rejects an invalid token and another account's token, and changes nothing", async () => {
    const { owner, account, params } = await withAccount();
    const others = await connectionBody({ platform: 'TWITTER' });
    const foreign = await refresh(owner, params, { refreshToken: others.refreshToken });
    const dead = await refresh(owner, params, { refreshToken: 'made-up' });

    expect(foreign.status).toBe(400);
    expect(foreign.body.message).toEqual(['refreshToken must belong to the connected account']);
    expect(dead.status).toBe(401);
    expect(dead.body.code).toBe('PLATFORM_TOKEN_INVALID');
    const now = await stored(account);
    expect(now).toMatchObject({
      isActive: true,
      tokenVersion: 1,
      accessToken: account.accessToken,
    });
    expect((await refresh(owner, params)).status).toBe(200);
  });

  it('names the capability if the network cannot refresh tokens, and the field if the token is missing', async () => {
    const facebook = await withAccount({ platform: 'FACEBOOK' });
    const refused = await refresh(facebook.owner, facebook.params);
    const { owner } = await withAccount();
    const without = await storeSocialAccount(owner.organizationId, { platform: 'TWITTER' });
    const missing = await refresh(owner, { account_id: without.id });

    expect(refused.status).toBe(400);
    expect(refused.body.message).toBe('FACEBOOK does not support tokenRefresh');
    expect(missing.status).toBe(400);
    expect(missing.body.message[0]).toMatch(/^refreshToken is required/);
  });

  it('returns 502 while the network is down and leaves the account unchanged', async () => {
    const { owner, account, params } = await withAccount();
    await sandbox.addFault({ service: 'twitter', mode: 'refuse' });

    expect((await refresh(owner, params)).status).toBe(502);
    expect(await stored(account)).toMatchObject({ isActive: true, tokenVersion: 1 });
  });
});

describe('the log', () => {
  it('never contains tokens', async () => {
    const level = logger.getLevelName();
    logger.setLogLevel('DEBUG');
    const place = placeInLog();
    const { owner, connection, params } = await withAccount({ endsInMs: -minuteMs });
    await sandbox.addFault({ service: 'twitter', mode: 'down', times: 1 });
    await runJob();
    await call(refreshSocialAccountToken, { token: owner.token, params, body: {} });
    await twitter.revokeTokens(connection.accessToken);
    await call(refreshSocialAccountToken, { token: owner.token, params, body: {} });
    logger.setLogLevel(level);
    const text = logSince(place).join('');

    expect(text).toContain('refreshSocialAccountToken');
    expect(text).not.toContain(connection.accessToken);
    expect(text).not.toContain(connection.refreshToken);
    expect(text).not.toMatch(/v1\.local\./);
  });
});
