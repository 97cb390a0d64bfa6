import { describe, expect, it } from 'vitest';
import { getNotificationSettings } from '#schemas/organizations.ts';
import { newAccount, newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

const all = (way: 'MAIL' | 'OFF') => ({
  handedOver: way,
  unanswered: way,
  assigned: way,
  credits: way,
  postFailed: way,
  accountInactive: way,
  webhookDisabled: way,
});

describe('GET /organizations/{organization_id}/notification-settings', () => {
  it.each([
    ['ADMIN', all('MAIL')],
    ['MEMBER', { ...all('OFF'), assigned: 'MAIL' }],
    ['VIEWER', all('OFF')],
  ] as const)('returns the defaults of the role %s', async (role, expected) => {
    const ada = await newAccount();
    const member = await newMember(ada, role);
    const params = { organization_id: ada.organizationId };

    const { body } = await call(getNotificationSettings, { params, token: member.token });
    expect(body.notificationSettings).toEqual(expected);
    const owners = await call(getNotificationSettings, { params, token: ada.token });
    expect(owners.body.notificationSettings).toEqual(all('MAIL'));
  });
});
