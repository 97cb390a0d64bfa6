// In a process of its own: it mocks the Secrets Manager client
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { newSecretDocument, putFirstSecret } from '#scripts/operations/first-secret.ts';

const client = new SecretsManagerClient({ region: 'eu-central-1' });
const secrets = mockClient(client);

beforeEach(() => {
  secrets.reset();
});

describe('newSecretDocument and putFirstSecret', () => {
  it('creates new 32-byte keys each time, named after the day', () => {
    const made = [1, 2].map(() =>
      JSON.parse(newSecretDocument('sk_test_1', new Date('2026-01-15'))),
    );
    const keys = made.flatMap(({ jwtKeys, encryptionKeys }) => [
      jwtKeys[0].secret,
      encryptionKeys[0].key,
    ]);

    expect(new Set(keys).size).toBe(4);
    expect(keys.map((key) => Buffer.from(key, 'base64').length)).toEqual([32, 32, 32, 32]);
    expect(made[0]).toMatchObject({
      jwtKeys: [{ kid: '2026-01-15' }],
      encryptionKeys: [{ id: '2026-01-15' }],
      stripeSecretKey: 'sk_test_1',
    });
  });

  it('stores the secret if it is empty', async () => {
    secrets
      .on(GetSecretValueCommand)
      .rejects(new ResourceNotFoundException({ message: 'no value', $metadata: {} }));
    secrets.on(PutSecretValueCommand).resolves({});
    await putFirstSecret(client, 'social-leads/prod', 'document');

    expect(secrets.commandCalls(PutSecretValueCommand)[0]?.args[0].input).toEqual({
      SecretId: 'social-leads/prod',
      SecretString: 'document',
    });
  });

  it('does not replace a secret that has a value', async () => {
    secrets.on(GetSecretValueCommand).resolves({ SecretString: '{}' });

    await expect(putFirstSecret(client, 'social-leads/prod', 'document')).rejects.toThrow(
      'already has a value',
    );
    expect(secrets.commandCalls(PutSecretValueCommand)).toEqual([]);
  });

  it('stores nothing if the secret cannot be read', async () => {
    secrets.on(GetSecretValueCommand).rejects(new Error('denied'));

    await expect(putFirstSecret(client, 'social-leads/prod', 'document')).rejects.toThrow('denied');
    expect(secrets.commandCalls(PutSecretValueCommand)).toEqual([]);
  });
});
