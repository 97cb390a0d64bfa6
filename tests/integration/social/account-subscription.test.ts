import { describe, expect, it } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { deactivateAccount } from '#lib/features/social/tokens/deactivate-account.ts';
import { dayMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { getOrganizationHealth } from '#schemas/health.ts';
import { listSocialAccounts, validateSocialAccountToken } from '#schemas/social.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { sandbox } from '#tests/support/mails.ts';
import { networkOf } from '#tests/support/networks.ts';
import { connectAccount } from '#tests/support/social-accounts.ts';
import { disconnectSocialAccount, isSubscribed, stored } from './connections.ts';

describe('the event subscription of an account', () => {
  /** Runs the due work this many days from now, twice. The second run must find nothing to do. */
  async function runAfter(days: number): Promise<void> {
    setClock(() => Date.now() + days * dayMs + minuteMs);
    await runDueWork();
    await runDueWork();
  }

  it("is renewed daily, well within YouTube's ten days", async () => {
    const { token } = await newAccount();
    const { platformUserId } = await connectAccount(token, { platform: 'YOUTUBE' });
    const asked = async () =>
      (await sandbox.requests({ service: 'youtube', contains: platformUserId })).filter(
        ({ path, body }) => path === '/subscribe' && body.includes('hub.mode=subscribe'),
      ).length;

    expect(await asked()).toBe(1);
    for (const day of [1, 2, 11]) {
      const before = await asked();
      await runAfter(day);
      expect(await asked()).toBe(before + 1);
    }
  });

  it('is restored after a day when the network dropped it, and ends with the account', async () => {
    const { token } = await newAccount();
    const { id, platformUserId, accessToken } = await connectAccount(token);
    await networkOf('FACEBOOK').unsubscribe({ platformUserId, accessToken });
    expect(await isSubscribed(platformUserId)).toBe(false);

    await runAfter(1);
    expect(await isSubscribed(platformUserId)).toBe(true);
    await disconnectSocialAccount(token, id);
    await runAfter(2);
    expect(await isSubscribed(platformUserId)).toBe(false);
  });

  it('is renewed once an account that was inactive at the due time is active again', async () => {
    const { token } = await newAccount();
    const { params, id, organizationId, platformUserId, accessToken } = await connectAccount(token);
    const account = (await stored({ id, organizationId })) as SocialAccount;
    await deactivateAccount(account, 'The token was revoked');
    await networkOf('FACEBOOK').unsubscribe({ platformUserId, accessToken });
    await runAfter(1);
    expect(await isSubscribed(platformUserId)).toBe(false);
    await call(validateSocialAccountToken, { params, token, body: {} });
    expect(await stored({ id, organizationId })).toMatchObject({ isActive: true });

    await runAfter(2);
    expect(await isSubscribed(platformUserId)).toBe(true);
  });

  it("reports a rejection by the network as an issue, with the network's message, until it succeeds", async () => {
    const { token, organizationId } = await newAccount();
    const body = { error: { code: 200, message: 'Requires pages_manage_metadata' } };
    const fault = { service: 'facebook', path: 'subscribed_apps', mode: 'error' } as const;
    await sandbox.addFault({ ...fault, status: 403, body });
    await connectAccount(token);
    const seen = async () => {
      const { socialAccounts } = (await call(listSocialAccounts, { token })).body;
      const params = { organization_id: organizationId };
      const { alerts } = (await call(getOrganizationHealth, { token, params })).body.health;

      return [socialAccounts[0], alerts.map(({ type }: { type: string }) => type)];
    };
    const refused = { isActive: true, subscribedAt: null, subscriptionFailure: body.error.message };

    expect(await seen()).toMatchObject([refused, ['EVENTS_NOT_SUBSCRIBED']]);
    await sandbox.clearFaults();
    await runAfter(1);
    expect(await seen()).toMatchObject([{ subscriptionFailure: null }, []]);
  });
});
