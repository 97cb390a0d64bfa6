import { randomBytes } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

const keyBytes = 32;

/** A new secret document with new keys. Keys are named after the date, which the rotation needs. */
export function newSecretDocument(stripeSecretKey: string, now: Date): string {
  const name = now.toISOString().slice(0, 10);

  return JSON.stringify({
    jwtKeys: [{ kid: name, secret: newKey() }],
    encryptionKeys: [{ id: name, key: newKey() }],
    stripeSecretKey,
  });
}

/**
 * Populates the empty secret that the deployment created.
 *
 * @throws if the secret has a value: new keys would end all sessions and make encrypted tokens
 * unreadable.
 */
export async function putFirstSecret(
  client: SecretsManagerClient,
  secretId: string,
  document: string,
): Promise<void> {
  if (await hasValue(client, secretId)) {
    throw new Error(`${secretId} already has a value. Edit it manually and keep its old keys.`);
  }
  await client.send(new PutSecretValueCommand({ SecretId: secretId, SecretString: document }));
}

async function hasValue(client: SecretsManagerClient, secretId: string): Promise<boolean> {
  try {
    await client.send(new GetSecretValueCommand({ SecretId: secretId }));

    return true;
  } catch (failure) {
    if (failure instanceof ResourceNotFoundException) {
      return false;
    }
    throw failure;
  }
}

function newKey(): string {
  return randomBytes(keyBytes).toString('base64');
}
