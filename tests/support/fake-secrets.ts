import { randomBytes } from 'node:crypto';
import {
  GetSecretValueCommand,
  SecretsManagerClient,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/client-secrets-manager';
import { type AwsStub, mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach } from 'vitest';
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

/** The mock of Secrets Manager in the file that uses it. `hold` sets its current secret. */
export let secretsManager: AwsStub<ServiceInputTypes, ServiceOutputTypes, object>;

/** Each test of a file begins with this secret. Other files of the process have the real client. */
export function useFakeSecrets(document: unknown = firstDocument): void {
  beforeAll(() => {
    secretsManager = mockClient(SecretsManagerClient);
  });
  beforeEach(() => {
    secretsManager.reset();
    forgetSecrets();
    hold(document);
  });
  afterAll(() => {
    secretsManager.restore();
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
