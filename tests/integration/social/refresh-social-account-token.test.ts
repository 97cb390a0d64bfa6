import { describe, expect, it } from 'vitest';
import { openToken } from '#lib/features/social/accounts/token-holder.ts';
import { deactivateAccount } from '#lib/features/social/tokens/deactivate-account.ts';
import { refreshToken } from '#lib/features/social/tokens/refresh-token.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { ensure } from '#lib/platform/db/write.ts';
import { refreshSocialAccountToken } from '#schemas/social.ts';
import { connectionBody, storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import type { Account } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { stored, withAccount } from './expiring-tokens.ts';

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
      ensure(absent, { onConditionFailed: () => new Error('This is not there') }),
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
