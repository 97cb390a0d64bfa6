import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, describe, expect, it } from 'vitest';
import {
  findTwoFactor,
  openSecret,
  sealSecret,
} from '#lib/features/auth/two-factor/two-factor-record.ts';
import {
  requireSocialAccount,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import {
  findMessagingCredential,
  openToken,
  sealToken,
} from '#lib/features/social/accounts/token-holder.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, put, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { forgetSecrets } from '#lib/platform/secrets/secrets.ts';
import { newWebhookEndpoint, openWebhookSecrets } from '#lib/platform/webhooks/endpoint-secrets.ts';
import { findWebhookEndpoint, targetOf } from '#lib/platform/webhooks/endpoints.ts';
import { validateSocialAccountToken } from '#schemas/social.ts';
import { localSecret } from '#scripts/dev/stack/local-secret.ts';
import { storeBusinessToken, storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { rotateKeys } from '#scripts/operations/keys/rotate-keys.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';
import { logSince, placeInLog } from '#tests/support/log-book.ts';
import { useProxy } from '#tests/support/proxy.ts';
import { storedItems } from '#tests/support/table.ts';

const secretsManager = new SecretsManagerClient({
  endpoint: String(process.env.SECRETS_MANAGER_ENDPOINT),
});

const first = { id: 'local', key: JSON.parse(localSecret({})).encryptionKeys[0].key };
const second = { id: 'second', key: randomBytes(32).toString('base64') };

async function holdKeys(...encryptionKeys: ReadonlyArray<typeof first>): Promise<void> {
  const document = { ...JSON.parse(localSecret({})), encryptionKeys };
  await secretsManager.send(
    new PutSecretValueCommand({
      SecretId: process.env.SECRET_ID,
      SecretString: JSON.stringify(document),
    }),
  );
  forgetSecrets();
}

const proxy = await useProxy();

afterAll(() => secretsManager.destroy());

/** Runs `npm run keys:rotate` in a separate process and kills it after this many changes. */
async function rotateUntilKilled(changes: number): Promise<void> {
  const program = new URL('../../../scripts/operations/keys/main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, DYNAMODB_ENDPOINT: proxy.endpoint },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  proxy.faults.add({
    operation: 'UpdateItem',
    nth: changes,
    fault: { kind: 'kill', when: 'after', victim: Number(child.pid) },
  });
  const [, signal] = await exited;
  proxy.faults.clear();
  expect(signal).toBe('SIGKILL');
}

const organizationId = newId();

async function storeAccounts(count: number): Promise<readonly SocialAccount[]> {
  const numbers = Array.from({ length: count }, (_, number) => number);

  return atMostAtOnce(8, numbers, (number) =>
    storeSocialAccount(organizationId, {
      accessToken: `access-${number}`,
      ...(number % 2 === 0 ? { refreshToken: `refresh-${number}` } : {}),
    }),
  );
}

async function idsUnder(keyId: string): Promise<readonly unknown[]> {
  const items = await storedItems(keys.organization(organizationId).pk);

  return items.filter((item) => JSON.stringify(item).includes(`v1.${keyId}.`)).map(({ id }) => id);
}

describe('key rotation', () => {
  it('resumes after interruptions, and ends with nothing under the old key and nothing lost', async () => {
    await holdKeys(first);
    const accounts = await storeAccounts(depth(60, 10_000));
    await holdKeys(second, first);
    const total = accounts.length;
    for (let kills = 0; kills < depth(2, 5); kills += 1) {
      await rotateUntilKilled(kills === 0 ? 1 : 1 + Math.ceil(total / 10));
    }
    const { rotated } = await rotateKeys();
    expect(rotated).toBeGreaterThan(0);
    expect(rotated).toBeLessThan(total);

    expect(await idsUnder('local')).toEqual([]);
    expect(await idsUnder('second')).toHaveLength(total);
    await holdKeys(second);
    for (const [number, { id }] of accounts.entries()) {
      const account = await requireSocialAccount(organizationId, id);
      expect(await openToken(account, 'accessToken')).toBe(`access-${number}`);
      expect(await openToken(account, 'refreshToken')).toBe(
        number % 2 === 0 ? `refresh-${number}` : undefined,
      );
    }
    await holdKeys(first);
  });

  it('skips a token that is refreshed concurrently, and rotates it in the next pass', async () => {
    await holdKeys(first);
    const [account] = await storeAccounts(1);
    const { id } = account as SocialAccount;
    await holdKeys(second, first);
    const key = keys.socialAccount(organizationId, id);
    const renewed = await sealToken(key, 'accessToken', 'renewed');
    await Promise.all([
      rotateKeys(),
      write(change(key, { set: { accessToken: renewed, tokenVersion: 2 } })),
    ]);
    await rotateKeys();
    await holdKeys(second);

    const now = await requireSocialAccount(organizationId, id);
    expect(await openToken(now, 'accessToken')).toBe('renewed');
    expect(now.tokenVersion).toBe(2);
    await holdKeys(first);
  });

  it('includes the token for messages, next to the account with the same id', async () => {
    await holdKeys(first);
    const account = await storeSocialAccount(organizationId, { platform: 'TIKTOK' });
    await storeBusinessToken(account);
    const read = async () => {
      const credential = await findMessagingCredential(account);

      return credential && openToken(credential, 'accessToken');
    };
    const before = await read();
    await holdKeys(second, first);
    await rotateKeys();
    await holdKeys(second);

    expect(before).toMatch(/^biz\./);
    expect(await read()).toBe(before);
    await holdKeys(first);
  });

  it('includes two-factor secrets', async () => {
    await holdKeys(first);
    const userId = newId();
    const sealed = await sealSecret(userId, 'JBSWY3DP');
    await write(put(keys.twoFactor(userId), { secret: sealed }));
    await holdKeys(second, first);
    await rotateKeys();
    await holdKeys(second);
    const record = await findTwoFactor(userId);

    expect(record?.secret).not.toBe(sealed);
    expect(record && (await openSecret(userId, record))).toBe('JBSWY3DP');
    await holdKeys(first);
  });

  it('includes webhook secrets', async () => {
    await holdKeys(first);
    const accountId = newId();
    const url = 'https://example.com/hook';
    const former = await newWebhookEndpoint(organizationId, accountId, url);
    const made = await newWebhookEndpoint(organizationId, accountId, url, former.endpoint);
    const key = keys.webhookEndpoint(organizationId, accountId);
    await write(put(key, made.endpoint));
    await holdKeys(second, first);
    await rotateKeys();
    await holdKeys(second);
    const target = targetOf(await findWebhookEndpoint(organizationId, accountId));

    expect(target && (await openWebhookSecrets(made.endpoint, target))).toEqual([
      made.secret,
      former.secret,
    ]);
    await holdKeys(first);
  });

  it('reports the values that no key can decrypt, and rotates the rest', async () => {
    await holdKeys(first);
    const accounts = await storeAccounts(2);
    const [broken, sound] = accounts as readonly [SocialAccount, SocialAccount];
    const accessToken = `${broken.accessToken.slice(0, -4)}AAAA`;
    await write(change(keys.socialAccount(organizationId, broken.id), { set: { accessToken } }));
    await holdKeys(second, first);
    const { unreadable } = await rotateKeys();

    expect(unreadable).toEqual([keys.socialAccount(organizationId, broken.id)]);
    expect(await idsUnder('second')).toContain(sound.id);
    await holdKeys(first);
  });
});

describe('a lost key', () => {
  it('causes an opaque 500 that reveals neither the key nor the text', async () => {
    const lost = { id: 'lost-key', key: randomBytes(32).toString('base64') };
    await holdKeys(lost, first);
    const owner = await newAccount();
    const account = await storeSocialAccount(owner.organizationId, {
      accessToken: 'sealed-under-the-lost-key',
    });
    await holdKeys(first);
    const place = placeInLog();
    const validate = { token: owner.token, params: { account_id: account.id } };
    const answer = await call(validateSocialAccountToken, validate);

    expect(answer).toMatchObject({ status: 500, body: { message: 'Internal server error' } });
    expect(JSON.stringify(answer)).not.toMatch(/lost-key/);
    expect(logSince(place).join('')).toContain(String(answer.headers['x-request-id']));
    expect(logSince(place).join('')).not.toMatch(/lost-key/);
  });
});
