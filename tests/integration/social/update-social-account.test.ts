import { describe, expect, it } from 'vitest';
import { listAuditLog } from '#schemas/organizations.ts';
import { updateSocialAccount } from '#schemas/social.ts';
import { call } from '#tests/support/api.ts';
import { withAccount } from './stored-account.ts';

describe('updating an account', () => {
  it('changes name and permissions independently and records the change', async () => {
    const { account, params, token, owner } = await withAccount({ permissions: ['read'] });
    const patch = async (body: object) =>
      (await call(updateSocialAccount, { params, token, body })).body.socialAccount;

    expect(await patch({})).toMatchObject({ updatedAt: account.updatedAt, permissions: ['read'] });
    expect(await patch({ platformUserName: 'New name' })).toMatchObject({
      platformUserName: 'New name',
      permissions: ['read'],
    });
    expect(await patch({ permissions: ['read', 'write'] })).toMatchObject({
      platformUserName: 'New name',
      permissions: ['read', 'write'],
    });
    expect(await patch({ permissions: null })).toMatchObject({ permissions: [] });
    const { entries } = (
      await call(listAuditLog, { params: { organization_id: owner.organizationId }, token })
    ).body;
    expect(entries.slice(0, 3)).toMatchObject([
      {
        action: 'social_account.updated',
        targetId: account.id,
        details: { fields: ['permissions'] },
      },
      { actorId: owner.userId, details: { fields: ['permissions'] } },
      { details: { fields: ['platformUserName'] } },
    ]);
  });
});
