import { describe, expect, it } from 'vitest';
import { openToken } from '#lib/features/social/accounts/token-holder.ts';
import { hourMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { deleteOrganization } from '#schemas/organizations.ts';
import { syncSocialAccount } from '#schemas/social.ts';
import { subscribeAccountWebhook } from '#schemas/webhooks.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { sandbox } from '#tests/support/mails.ts';
import { removeDeleted } from '#tests/support/removal.ts';
import { connectAccount } from '#tests/support/social-accounts.ts';
import { lastingItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import {
  connectSocialAccount,
  disconnectSocialAccount,
  isSubscribed,
  stored,
} from './connections.ts';

describe('disconnecting an account', () => {
  it('stops its events, removes its metrics, and lets any organization connect it', async () => {
    const [owner, other] = await Promise.all([newAccount(), newAccount()]);
    const { id, platformUserId, accessToken, params } = await connectAccount(owner.token);
    await call(syncSocialAccount, { params, token: owner.token, body: {} });
    expect((await disconnectSocialAccount(owner.token, id)).status).toBe(200);
    expect((await disconnectSocialAccount(owner.token, id)).status).toBe(404);
    await drainWork();

    expect(await isSubscribed(platformUserId)).toBe(false);
    const left = (await lastingItems()).filter(
      (item) => JSON.stringify(item).includes(id) && !/^(AUDIT|FORMER_ACCOUNT)#/.test(item.sk),
    );
    expect(left).toEqual([]);
    const again = await connectSocialAccount(other.token, {
      platform: 'FACEBOOK',
      accessToken,
      platformUserId,
      platformUserName: 'Engines',
    });
    expect(again.status).toBe(201);
    expect(again.body.socialAccount.id).not.toBe(id);
  });

  it('takes effect until its organization connects it again', async () => {
    const [owner, other] = await Promise.all([newAccount(), newAccount()]);
    const { platformUserId, ...former } = await connectAccount(owner.token);
    const { tokenVersion = 0 } = (await stored(former)) ?? {};
    await disconnectSocialAccount(owner.token, former.id);
    const { id } = await connectAccount(other.token, { platformUserId });
    await disconnectSocialAccount(other.token, id);
    const again = await connectAccount(owner.token, { platformUserId });
    await drainWork();

    expect(again.id).toBe(former.id);
    const account = await stored(again);
    expect(account && (await openToken(account, 'accessToken'))).toBe(again.accessToken);
    expect(account?.tokenVersion).toBe(tokenVersion + 1);
    expect(await isSubscribed(platformUserId)).toBe(true);
    await disconnectSocialAccount(owner.token, again.id);
    expect((await stored(again)) ?? 'gone').toBe('gone');
    expect((await connectAccount(owner.token, { platformUserId })).id).toBe(former.id);
  });

  it('is reported to its webhook, whose subscription is removed', async () => {
    const { token, organizationId } = await newAccount();
    const { id, params } = await connectAccount(token);
    const hook = `${process.env.WEBHOOK_ALLOWED_ORIGINS}/_sandbox/hooks/${id}`;
    await call(subscribeAccountWebhook, { token, params, body: { webhookUrl: hook } });
    await disconnectSocialAccount(token, id);
    await drainWork();

    const told = await sandbox.requests({ service: 'hooks', contains: 'account.disconnected' });
    expect(told.filter(({ body }) => body.includes(id))).toHaveLength(1);
    expect(await get(keys.webhookEndpoint(organizationId, id))).toBeUndefined();
    expect(await get(keys.socialWebhookClaim(id))).toBeUndefined();
  });

  it('retries unsubscribing while the network is down, unless someone else has connected it since', async () => {
    const [owner, other] = await Promise.all([newAccount(), newAccount()]);
    const first = await connectAccount(owner.token);
    const second = await connectAccount(owner.token);
    await drainWork();
    await sandbox.addFault({ service: 'facebook', path: 'subscribed_apps', mode: 'down' });
    await disconnectSocialAccount(owner.token, first.id);
    await disconnectSocialAccount(owner.token, second.id);
    await drainWork();
    expect(await isSubscribed(first.platformUserId)).toBe(true);
    await sandbox.clearFaults();
    const { platformUserId } = second;
    await connectAccount(other.token, { platformUserId });
    setClock(() => Date.now() + hourMs);
    await runDueWork();
    setClock();

    expect(await isSubscribed(first.platformUserId)).toBe(false);
    expect(await isSubscribed(second.platformUserId)).toBe(true);
  });

  it('happens to all accounts of a deleted organization', async () => {
    const [owner, other] = await Promise.all([newAccount(), newAccount()]);
    const { platformUserId, accessToken } = await connectAccount(owner.token);
    const params = { organization_id: owner.organizationId };
    expect((await call(deleteOrganization, { params, token: owner.token })).status).toBe(200);
    await runDueWork();
    await removeDeleted(owner.organizationId);

    expect(await isSubscribed(platformUserId)).toBe(false);
    const left = (await lastingItems()).filter(
      (item) =>
        JSON.stringify(item).includes(owner.organizationId) &&
        !item.sk.startsWith('SESSION#') &&
        !item.pk.endsWith('#LEDGER'),
    );
    expect(left).toEqual([]);
    expect(
      (await connectAccount(other.token, { platformUserId, body: { accessToken } })).organizationId,
    ).toBe(other.organizationId);
  });
});
