// Runs in a separate process: it changes the secret
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expect, test } from 'vitest';
import { runProbe } from '#lib/features/health/services/run-probe.ts';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { createSetupIntent, getMe, logIn } from '#schemas/auth.ts';
import { localSecret } from '#scripts/dev/stack/local-secret.ts';
import { newAccount, password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';

/** Replaces the secret's document, like an operator who rotates keys. */
async function put(document: object): Promise<void> {
  const client = new SecretsManagerClient({
    endpoint: String(process.env.SECRETS_MANAGER_ENDPOINT),
  });
  const SecretString = JSON.stringify(document);
  await client.send(new PutSecretValueCommand({ SecretId: process.env.SECRET_ID, SecretString }));
}

/** Returns the key of the last call to the payment provider. */
async function keyInUse(): Promise<unknown> {
  const calls = await sandbox.requests({ service: 'stripe' });

  return calls.at(-1)?.headers.authorization;
}

function keyIdOf(token: string): unknown {
  const [header = ''] = token.split('.');

  return JSON.parse(Buffer.from(header, 'base64url').toString()).kid;
}

test('rotated keys are used after five minutes, without a restart and without ending sessions', async () => {
  const { email, token } = await newAccount();
  expect((await call(createSetupIntent, { token })).status).toBe(200);
  const before = await keyInUse();
  await sandbox.setApiKeys('stripe', ['sk_test_sandbox', 'sk_test_rotated']);
  const document = JSON.parse(localSecret({}));
  const jwtKeys = [{ kid: 'next', secret: Buffer.alloc(32, 7).toString('base64') }];
  await put({
    ...document,
    jwtKeys: [...jwtKeys, ...document.jwtKeys],
    stripeSecretKey: 'sk_test_rotated',
  });

  setClock(() => Date.now() + 5 * minuteMs);
  await sandbox.setApiKeys('stripe', ['sk_test_rotated']);

  expect((await call(createSetupIntent, { token })).status).toBe(200);
  expect([before, await keyInUse()]).toEqual(['Bearer sk_test_sandbox', 'Bearer sk_test_rotated']);
  expect((await call(getMe, { token })).status).toBe(200);
  const signedIn = await call(logIn, { body: { email, password } });
  expect(keyIdOf(signedIn.body.authToken)).toBe('next');
  expect(keyIdOf(token)).not.toBe('next');
});

test('the AI service is reported as down while the secret has no key for it', async () => {
  const { openaiApiKey: _, ...document } = JSON.parse(localSecret({}));
  await put(document);

  setClock(() => Date.now() + 15 * minuteMs);

  expect(await runProbe('ai', 2_000)).toMatchObject({
    status: 'outage',
    error: 'The API key is missing',
  });
});
