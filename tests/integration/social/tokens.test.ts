import { describe, expect, it, vi } from 'vitest';
import { handler as tokenRefresh } from '#functions/jobs/token-refresh.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { openToken } from '#lib/features/social/accounts/token-holder.ts';
import { deactivateAccount } from '#lib/features/social/tokens/deactivate-account.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { refreshToken } from '#lib/features/social/tokens/refresh-token.ts';
import { dayMs, hourMs, minuteMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, discard, write } from '#lib/platform/db/write.ts';
import { logger } from '#lib/platform/log/logger.ts';
import { accountTokensOf } from '#lib/vendors/networks/ports/tokens.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import type { Platform } from '#schemas/platforms.ts';
import { refreshSocialAccountToken } from '#schemas/social.ts';
import type { Account } from '#tests/support/accounts.ts';
import { call, lambdaContext } from '#tests/support/api.ts';
import { runInProcess } from '#tests/support/doomed-call.ts';
import { logSince, placeInLog } from '#tests/support/log-book.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import { startLater } from '#tests/support/own-table.ts';
import { useProxy } from '#tests/support/proxy.ts';
import { stored, withAccount } from './expiring-tokens.ts';

const twitter = sandbox.network('TWITTER');

const proxy = await useProxy();

/** Counts the network's token exchanges for this secret. */
async function exchanges(secret: string, platform: Platform = 'TWITTER'): Promise<number> {
  const asked = await sandbox.requests({ service: platform.toLowerCase(), contains: secret });

  return asked.filter(({ path }) => /(token|accessToken)\/?$/.test(path)).length;
}

function runJob() {
  return startLater(() => tokenRefresh(undefined, lambdaContext(300_000)));
}

async function subjectsTo({ email }: Account): Promise<readonly string[]> {
  return (await mailsTo(email)).map(({ subject }) => subject);
}

/** Returns the credentials that a call gets. */
function freshCredentials(account: SocialAccount) {
  return withFreshToken(account, async (credentials) => credentials);
}

describe('a token that is about to expire', () => {
  // One network for each kind of token: single-use, reusable, and extended; and both networks that
  // revoke tokens on reuse.
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
      const pages = await withFreshToken(now, accountTokensOf(account.platform).listPages);
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
    const params = { organization_id: owner.organizationId };
    const { entries } = (await call(listAuditLog, { params, token: owner.token })).body;
    expect(entries[0]).toMatchObject({ action: 'social_account.deactivated', actorId: null });
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

  it('keeps the tokens of a reconnection during the refresh', async () => {
    const { account } = await withAccount({ endsInMs: 20 * minuteMs });
    const reconnected = { accessToken: 'sealed anew', tokenVersion: 5 };
    await refreshToken(account, undefined, async () => {
      await write(change(account, { set: reconnected }));

      return [];
    });

    expect(await stored(account)).toMatchObject(reconnected);
  });

  it.each([
    ['before calling the network, refreshes the token later', 2, 'after', true],
    ['between the response and the write, reports that the new token is lost', 3, 'before', false],
    ['after the write, loses nothing', 3, 'after', true],
  ] as const)('that is terminated %s leaves a valid token', async (_, nth, when, isAlive) => {
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
    vi.stubEnv('NETWORK_TIMEOUT_MS', '500');
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
    const pages = await withFreshToken(account, accountTokensOf(account.platform).listPages);

    expect(pages).toHaveLength(1);
    expect((await stored(account)).tokenVersion).toBe(2);
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
