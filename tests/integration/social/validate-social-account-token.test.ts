import { describe, expect, it } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { deactivateAccount } from '#lib/features/social/tokens/deactivate-account.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { validateSocialAccountToken } from '#schemas/social.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';
import { connectAccount } from '#tests/support/social-accounts.ts';
import { stored } from './connections.ts';

const facebook = sandbox.network('FACEBOOK');

describe('validating a token', () => {
  it('returns what the network reports', async () => {
    const { token } = await newAccount();
    const { params, platformUserId } = await connectAccount(token);
    const { body } = await call(validateSocialAccountToken, { params, token, body: {} });

    expect(body.validation).toMatchObject({ isValid: true, platformUserId });
    expect(body.validation.permissions).toContain('pages_messaging');
  });

  it('reports an invalid token, and reactivates an account whose token is valid after all', async () => {
    const { token } = await newAccount();
    const { params, id, organizationId, accessToken } = await connectAccount(token);
    const account = (await stored({ id, organizationId })) as SocialAccount;
    await deactivateAccount(account, 'The token was revoked');
    const validate = async () =>
      (await call(validateSocialAccountToken, { params, token, body: {} })).body.validation;
    const isActive = async () => (await stored({ id, organizationId }))?.isActive;

    expect((await validate()).isValid).toBe(true);
    expect(await isActive()).toBe(true);
    await facebook.revokeTokens(accessToken);
    expect((await validate()).isValid).toBe(false);
    expect(await isActive()).toBe(false);
  });

  it('does not reactivate an account with the facts of a token that was replaced', async () => {
    const { token } = await newAccount();
    const { params, id, organizationId } = await connectAccount(token);
    const account = (await stored({ id, organizationId })) as SocialAccount;
    await deactivateAccount(account, 'The token was revoked');
    const begin = () => call(validateSocialAccountToken, { params, token, body: {} });
    const replace = () => write(change(account, { set: { tokenVersion: 2 } }));
    await overtake({ begin, operation: 'Update', key: account }, replace);

    expect((await stored({ id, organizationId }))?.isActive).toBe(false);
  });

  it('returns 502 while the network is down and deactivates nothing', async () => {
    const { token } = await newAccount();
    const { params, id, organizationId } = await connectAccount(token);
    await sandbox.addFault({ service: 'facebook', mode: 'down' });

    expect((await call(validateSocialAccountToken, { params, token, body: {} })).status).toBe(502);
    expect((await stored({ id, organizationId }))?.isActive).toBe(true);
  });
});
