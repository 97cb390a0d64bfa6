import { randomBytes } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { type Secrets, secretDocument } from '#lib/platform/secrets/secrets.ts';
import { listOf, networkAppsOf, operatorKeysOf } from './secret-variables.ts';

const keyBytes = 32;

/**
 * Creates the secret document from the variables that `.env.example` lists under "Secrets", with
 * new keys. Key ids contain the date, because the rotation needs it.
 *
 * @throws if a required variable is missing, or the service could not read the document.
 */
export function newSecretDocument(
  variables: Readonly<Record<string, string | undefined>>,
  now: Date,
): string {
  const name = now.toISOString().slice(0, 10);
  const document = {
    jwtKeys: [{ kid: name, secret: newKey() }],
    encryptionKeys: [{ id: name, key: newKey() }],
    hashKey: newKey(),
    stripeSecretKey: required(variables, 'STRIPE_SECRET_KEY'),
    stripeWebhookSecrets: listOf(variables.STRIPE_WEBHOOK_SECRET),
    openaiApiKey: required(variables, 'OPENAI_API_KEY'),
    operatorKeys: operatorKeysOf(name, variables.OPERATOR_KEY),
    networks: networkAppsOf(variables),
  } satisfies Record<keyof Secrets, unknown>;
  const { error } = secretDocument.safeParse(document);
  if (error) {
    const [{ path, message } = { path: [], message: '' }] = error.issues;
    throw new Error(`${path.join('.')}: ${message}`);
  }

  return JSON.stringify(document);
}

/** The AI key is required too, because without it no agent would answer. */
function required(variables: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = variables[name];
  if (!value) {
    throw new Error(`Set ${name}. .env.example lists all variables under "Secrets".`);
  }

  return value;
}

/**
 * Populates the empty secret that the deployment created.
 *
 * @throws if the secret has a value, because new keys would end all sessions and make encrypted
 * tokens unreadable.
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
