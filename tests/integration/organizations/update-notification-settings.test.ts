import { describe, expect, it } from 'vitest';
import { listNotifiedAddresses } from '#lib/features/organizations/members.ts';
import { getNotificationSettings, updateNotificationSettings } from '#schemas/organizations.ts';
import { newAccount, newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

describe('PATCH /organizations/{organization_id}/notification-settings', () => {
  it("changes the caller's own settings, which decide who gets mails", async () => {
    const ada = await newAccount();
    const grace = await newMember(ada, 'MEMBER');
    const params = { organization_id: ada.organizationId };
    const addresses = () => listNotifiedAddresses(ada.organizationId, 'postFailed');
    expect(await addresses()).toEqual([ada.email]);

    const changes = [
      call(updateNotificationSettings, { params, token: ada.token, body: { postFailed: 'OFF' } }),
      call(updateNotificationSettings, { params, token: ada.token, body: { credits: 'OFF' } }),
      call(updateNotificationSettings, {
        params,
        token: grace.token,
        body: { postFailed: 'MAIL' },
      }),
    ];
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200, 200]);

    const { body } = await call(getNotificationSettings, { params, token: ada.token });
    expect(body.notificationSettings).toMatchObject({
      postFailed: 'OFF',
      credits: 'OFF',
      assigned: 'MAIL',
    });
    expect(await addresses()).toEqual([grace.email]);
  });
});
