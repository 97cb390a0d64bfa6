import { randomBytes } from 'node:crypto';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, expect, test } from 'vitest';
import { forgetSecrets } from '#lib/platform/secrets/secrets.ts';
import { localSecret } from '#scripts/dev/stack/local-secret.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { findUnreadable } from '#scripts/operations/keys/find-unreadable.ts';
import { recount } from '#scripts/operations/recount/recount.ts';
import { copyTable, dropTable } from '#scripts/operations/rehearse/copy-table.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { storedItems } from '#tests/support/table.ts';

const endpoint = String(process.env.DYNAMODB_ENDPOINT);
const from = String(process.env.TABLE_NAME);
const to = `${from}-restored`;
const owner = {
  region: String(process.env.AWS_REGION),
  credentials: {
    accessKeyId: String(process.env.AWS_ACCESS_KEY_ID),
    secretAccessKey: String(process.env.AWS_SECRET_ACCESS_KEY),
  },
};
const secretsManager = new SecretsManagerClient({
  endpoint: String(process.env.SECRETS_MANAGER_ENDPOINT),
});

async function storeSecret(document: string): Promise<void> {
  await secretsManager.send(
    new PutSecretValueCommand({ SecretId: process.env.SECRET_ID, SecretString: document }),
  );
  forgetSecrets();
}

afterAll(async () => {
  await storeSecret(localSecret({}));
  await dropTable(endpoint, to, owner);
  secretsManager.destroy();
});

test('copyTable copies every item, and replaces an older copy', async () => {
  const { organizationId } = await newAccount();

  await copyTable({ endpoint, from, to, owner });
  const copied = await copyTable({ endpoint, from, to, owner });

  const before = await storedItems();
  process.env.TABLE_NAME = to;
  const restored = await storedItems().finally(() => {
    process.env.TABLE_NAME = from;
  });
  expect(copied).toBe(before.length);
  expect(restored.toSorted(byKey)).toEqual(before.toSorted(byKey));
  expect(restored.some(({ pk }) => pk.includes(organizationId))).toBe(true);
  expect(await recount({ endpoint, tableName: to })).toEqual(
    await recount({ endpoint, tableName: from }),
  );
});

test('findUnreadable finds the tokens that nobody can decrypt after a key is lost', async () => {
  const { organizationId } = await newAccount();
  const account = await storeSocialAccount(organizationId);
  const isAffected = async () =>
    (await findUnreadable()).unreadable.some(({ sk, pk }) => `${pk}${sk}`.includes(account.id));

  expect(await isAffected()).toBe(false);
  expect((await findUnreadable()).sealed).toBeGreaterThan(0);

  const lost = [{ id: 'local', key: randomBytes(32).toString('base64') }];
  await storeSecret(JSON.stringify({ ...JSON.parse(localSecret({})), encryptionKeys: lost }));

  expect(await isAffected()).toBe(true);
});

function byKey(one: { pk: string; sk: string }, other: { pk: string; sk: string }): number {
  return `${one.pk} ${one.sk}` < `${other.pk} ${other.sk}` ? -1 : 1;
}
