import { describe, expect, it } from 'vitest';
import { listSocialAccountPages, listSocialAccounts } from '#schemas/social.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import { connectAccount } from '#tests/support/social-accounts.ts';

const facebook = sandbox.network('FACEBOOK');

describe('an account with an invalid token', () => {
  it('is deactivated when the network reports it, and all owners are notified once', async () => {
    const owner = await newAccount();
    const { params, accessToken } = await connectAccount(owner.token);
    await facebook.revokeTokens(accessToken);
    const answer = await call(listSocialAccountPages, { params, token: owner.token });
    await call(listSocialAccountPages, { params, token: owner.token });

    expect(answer.status).toBe(401);
    expect(answer.body.code).toBe('PLATFORM_TOKEN_INVALID');
    const [account] = (await call(listSocialAccounts, { token: owner.token })).body.socialAccounts;
    expect(account).toMatchObject({ isActive: false });
    expect(account.inactiveReason).toContain('connect the account again');
    const mails = await mailsTo(owner.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Reconnect Engines on Facebook']);
    expect(mails[0]?.text).toContain(account.inactiveReason);
  });
});

describe('listing the pages of an account', () => {
  it('returns the pages its token can act for', async () => {
    const { token } = await newAccount();
    const { params, platformUserId } = await connectAccount(token);
    const { body } = await call(listSocialAccountPages, { params, token });

    expect(body).toMatchObject({ total: 1 });
    expect(body.pages[0]).toMatchObject({
      id: platformUserId,
      platformPageId: platformUserId,
      name: 'Engines',
    });
  });
});
