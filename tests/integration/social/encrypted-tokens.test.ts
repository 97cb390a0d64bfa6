import { describe, expect, it } from 'vitest';
import { openSecret, sealSecret } from '#lib/features/auth/two-factor/two-factor-record.ts';
import { requireSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { credentialsOf, openToken } from '#lib/features/social/accounts/token-holder.ts';
import {
  type OAuthSession,
  openField,
  sealField,
} from '#lib/features/social/oauth/oauth-session.ts';
import { decrypt, encrypt } from '#lib/platform/crypto/encryption.ts';
import type { Key } from '#lib/platform/db/keys.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { put, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { mailContext } from '#lib/platform/mail/outgoing-mail.ts';
import { deliverWebhook } from '#lib/platform/webhooks/deliver.ts';
import { planEvent } from '#lib/platform/webhooks/deliveries.ts';
import { newWebhookEndpoint } from '#lib/platform/webhooks/endpoint-secrets.ts';
import { createOrganization } from '#schemas/organizations.ts';
import { disconnectSocialAccount, listSocialAccountPages } from '#schemas/social.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { type Item, storedItems, storeItem } from '#tests/support/table.ts';
import { withAccount } from './stored-account.ts';

/** Copies a whole item to another key, with all its attributes. */
async function copyRow(from: Key, to: Key): Promise<void> {
  const [item] = (await storedItems(from.pk)).filter(({ sk }) => sk === from.sk);
  await storeItem({ ...item, ...to });
}

describe('an encrypted token', () => {
  it('can be decrypted only in its own item and field', async () => {
    const { account } = await withAccount({ accessToken: 'secret-1', refreshToken: 'secret-2' });

    expect((await credentialsOf(account)).accessToken).toBe('secret-1');
    expect(await openToken(account, 'refreshToken')).toBe('secret-2');
    await expect(credentialsOf({ ...account, sk: `${account.sk}x` })).rejects.toThrow();
    await expect(credentialsOf({ ...account, pk: `${account.pk}x` })).rejects.toThrow();
    await expect(
      credentialsOf({ ...account, accessToken: String(account.refreshToken) }),
    ).rejects.toThrow();
  });

  it('does not open in a row that was copied to another tenant or id', async () => {
    const { account } = await withAccount({ accessToken: 'secret-1' });
    const thief = await newAccount();
    const otherId = newId();
    const copies = [
      keys.socialAccount(thief.organizationId, account.id),
      keys.socialAccount(account.organizationId, otherId),
    ];
    for (const copy of copies) {
      await copyRow(account, copy);
    }
    const stolen = await requireSocialAccount(thief.organizationId, account.id);

    expect(stolen.organizationId).toBe(account.organizationId);
    await expect(credentialsOf(stolen)).rejects.toThrow();
    await expect(
      credentialsOf(await requireSocialAccount(account.organizationId, otherId)),
    ).rejects.toThrow();
    const pages = await call(listSocialAccountPages, {
      params: { account_id: account.id },
      token: thief.token,
    });
    expect(pages.status).toBe(500);
    expect(JSON.stringify(pages.body)).not.toContain(account.platformUserName);
  });

  it('is bound to the item of the work that follows a disconnection', async () => {
    const { account, params, token } = await withAccount({ accessToken: 'secret-1' });
    await call(disconnectSocialAccount, { params, token });
    const claim = keys.socialAccountClaim(account.platform, account.platformUserId);
    const [work] = (await storedItems(claim.pk)).filter(({ sk }) => sk.startsWith('OUTBOX#'));
    const payload = { ...account, ...JSON.parse(String(work?.payload)) };

    expect(payload).not.toHaveProperty('refreshToken');
    const { accessToken } = await credentialsOf({ ...payload, pk: work?.pk, sk: work?.sk });
    expect(accessToken).toBe('secret-1');
    await expect(credentialsOf({ ...payload, pk: account.pk, sk: account.sk })).rejects.toThrow();
  });
});

describe('a webhook secret', () => {
  it('does not sign for a copied endpoint or delivery', async () => {
    const [victim, thief] = [await newAccount(), await newAccount()];
    const sourceId = newId();
    const { endpoint } = await newWebhookEndpoint(
      victim.organizationId,
      sourceId,
      `${process.env.WEBHOOK_ALLOWED_ORIGINS}/_sandbox/hooks/${sourceId}`,
    );
    const key = keys.webhookEndpoint(victim.organizationId, sourceId);
    const event = planEvent(endpoint, { type: 'account.disconnected', data: {}, isLast: true });
    await write(put(key, endpoint), ...event);
    await copyRow(key, keys.webhookEndpoint(thief.organizationId, sourceId));
    const [delivery] = (await storedItems(`ORG#${victim.organizationId}#WEBHOOK`)).filter(
      ({ sk }) => sk.includes('#DELIVERY#'),
    );
    const { id, workId, sk } = delivery as unknown as { id: string; workId: string; sk: string };
    const copy = keys.webhookDelivery(thief.organizationId, sourceId, id);
    await copyRow({ pk: String(delivery?.pk), sk }, copy);
    const deliver = (organizationId: string) =>
      deliverWebhook({
        key: keys.outbox(copy, 'webhook', workId),
        payload: { organizationId, sourceId, deliveryId: id },
        remainingMs: () => 60_000,
      });

    await expect(deliver(thief.organizationId)).rejects.toThrow();
    await expect(deliver(victim.organizationId)).resolves.toBeDefined();
  });
});

/** The other values that are encrypted, by the id of what they belong to. */
const boundValues = {
  'a two-factor secret': {
    seal: (id: string) => sealSecret(id, 'secret'),
    open: (id: string, secret: string) => openSecret(id, { secret }),
  },
  'the verifier of an OAuth session': {
    seal: (id: string) =>
      sealField(keys.oauthSession('', id), 'secret', { codeVerifier: 'secret' }),
    open: (id: string, secret: string) =>
      openField({ organizationId: '', id, secret } as OAuthSession, 'secret'),
  },
  'a waiting mail': {
    seal: (id: string) => encrypt('secret', mailContext(keys.user(id))),
    open: (id: string, sealed: string) => decrypt(sealed, mailContext(keys.user(id))),
  },
} as const;

it.each(Object.entries(boundValues))('%s opens only in its own item', async (_, value) => {
  const sealed = await value.seal('1');

  expect(JSON.stringify(await value.open('1', sealed))).toContain('secret');
  await expect(value.open('2', sealed)).rejects.toThrow();
});

/** Makes a request with an `Idempotency-Key` and returns the row that it leaves. */
async function rowLeftBy(request: () => Promise<unknown>): Promise<Item> {
  const before = await storedItems('IDEMPOTENCY#');
  await request();
  const after = await storedItems('IDEMPOTENCY#');

  return after.find(({ pk }) => !before.some((one) => one.pk === pk)) as Item;
}

it('the stored response of a request is not returned for another key', async () => {
  const { token } = await newAccount();
  const create = (key: string) =>
    call(createOrganization, { token, body: { name: key }, headers: { 'idempotency-key': key } });
  const { answer } = await rowLeftBy(() => create('own'));
  const another = await rowLeftBy(() => create('another'));
  await storeItem({ ...another, answer });

  expect((await create('another')).status).toBe(500);
});
