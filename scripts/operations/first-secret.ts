import { randomBytes } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

const keyBytes = 32;

/** The service's secret with new keys. Their names say when they were made, for the rotation. */
export function newSecretDocument(stripeSecretKey: string, now: Date): string {
  const name = now.toISOString().slice(0, 10);

  return JSON.stringify({
    jwtKeys: [{ kid: name, secret: newKey() }],
    encryptionKeys: [{ id: name, key: newKey() }],
    stripeSecretKey,
  });
}

/**
 * Fills the secret that the deployment created empty.
 *
 * @throws where it has a value: other keys would end all sessions, and lose all encrypted tokens.
 */
export async function putFirstSecret(
  client: SecretsManagerClient,
  secretId: string,
  document: string,
): Promise<void> {
  if (await hasValue(client, secretId)) {
    throw new Error(`${secretId} has a value already. Change it by hand, keeping its old keys.`);
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
