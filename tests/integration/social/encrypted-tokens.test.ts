import { describe, expect, it } from 'vitest';
import {
  credentialsOf,
  openToken,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { put, write } from '#lib/platform/db/write.ts';
import { withAccount } from './stored-account.ts';

describe('an encrypted token', () => {
  it('can be decrypted only for its own account, field and tenant', async () => {
    const { account } = await withAccount({ accessToken: 'secret-1', refreshToken: 'secret-2' });
    const { owner: stranger } = await withAccount();
    const { organizationId } = stranger;
    await write(
      put(keys.socialAccount(organizationId, account.id), { ...account, organizationId }),
    );
    const copied = await get<SocialAccount>(keys.socialAccount(organizationId, account.id));

    expect((await credentialsOf(account)).accessToken).toBe('secret-1');
    expect(await openToken(account, 'refreshToken')).toBe('secret-2');
    await expect(credentialsOf(copied as SocialAccount)).rejects.toThrow();
    await expect(credentialsOf({ ...account, id: stranger.organizationId })).rejects.toThrow();
    await expect(
      credentialsOf({ ...account, accessToken: String(account.refreshToken) }),
    ).rejects.toThrow();
  });
});
