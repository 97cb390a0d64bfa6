import { randomBytes } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach } from 'vitest';
import { forgetSecrets } from '#lib/platform/secrets/secrets.ts';

export type SecretDocument = {
  readonly jwtKeys: ReadonlyArray<{ readonly kid: string; readonly secret: string }>;
  readonly encryptionKeys: ReadonlyArray<{ readonly id: string; readonly key: string }>;
  readonly hashKey: string;
  readonly stripeSecretKey: string;
};

export function newKey(): string {
  return randomBytes(32).toString('base64');
}

export const firstDocument: SecretDocument = {
  jwtKeys: [{ kid: 'first', secret: newKey() }],
  encryptionKeys: [{ id: 'first', key: newKey() }],
  hashKey: newKey(),
  stripeSecretKey: 'sk_test_unit',
};

/** A mock of Secrets Manager for all files in this process. `hold` sets its current secret. */
export const secretsManager = mockClient(SecretsManagerClient);

/** Each test of a file begins with this secret, and other files find none. */
export function useFakeSecrets(document: unknown = firstDocument): void {
  beforeEach(() => {
    secretsManager.reset();
    forgetSecrets();
    hold(document);
  });
  afterAll(() => {
    secretsManager.reset();
    forgetSecrets();
  });
}

export function hold(document: unknown): void {
  secretsManager
    .on(GetSecretValueCommand)
    .resolves({ SecretString: typeof document === 'string' ? document : JSON.stringify(document) });
}

/** Returns how often the secret was read. */
export function reads(): number {
  return secretsManager.commandCalls(GetSecretValueCommand).length;
}
