import { readFileSync } from 'node:fs';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { networkApp, secretDocument } from '#lib/platform/secrets/secrets.ts';
import { type Platform, platforms } from '#schemas/platforms.ts';
import { settingNames } from '#scripts/dev/stack/settings.ts';
import { newSecretDocument, putFirstSecret } from '#scripts/operations/first-secret.ts';
import { projectPath } from '#scripts/project.ts';

const client = new SecretsManagerClient({ region: 'eu-central-1' });
const secrets = mockClient(client);

beforeEach(() => {
  secrets.reset();
});

const required = { STRIPE_SECRET_KEY: 'sk_test_1', OPENAI_API_KEY: 'sk-1' };
const day = new Date('2026-01-15');
const everySecret = Object.fromEntries(
  settingNames()
    .filter((name) => /_(KEY|SECRET|TOKEN|APP_ID|CLIENT_ID)$/.test(name))
    .map((name) => [name, name === 'OPERATOR_KEY' ? `slo_${'a'.repeat(43)}` : name.toLowerCase()]),
);

/** The names of all fields of the document, except fields of single keys. */
function fieldsOf({ networks, ...others }: Record<string, unknown>): readonly string[] {
  const apps = Object.values(networks as Record<string, object>);

  return [...new Set([...Object.keys(others), ...apps.flatMap((app) => Object.keys(app))])].sort();
}

const { networks: _, ...plainFields } = secretDocument.shape;
const knownFields = [...Object.keys(plainFields), ...Object.keys(networkApp.shape)].sort();

describe('the secret document', () => {
  it('of the script has every field, for every network', () => {
    const document = JSON.parse(newSecretDocument(everySecret, day));

    expect(fieldsOf(document)).toEqual(knownFields);
    expect(Object.keys(document.networks)).toEqual([...platforms]);
  });

  it('in docs/security.md has every field and can be read', () => {
    const [, example = ''] =
      /```json\n(\{\n {2}"jwtKeys"[^`]*)```/.exec(
        readFileSync(projectPath('docs/security.md'), 'utf8'),
      ) ?? [];
    const document = JSON.parse(example);

    expect(fieldsOf(document)).toEqual(knownFields);
    expect(
      Object.keys(document.networks).every((name) => platforms.includes(name as Platform)),
    ).toBe(true);
  });

  it.each(['README.md', 'docs/operations.md'])('%s sets the required variables', (path) => {
    const text = readFileSync(projectPath(path), 'utf8');
    const [step = ''] = text
      .split('\n```')
      .filter((block) => block.includes('put-secret.ts --stage'));

    for (const name of Object.keys(required)) {
      expect(step).toContain(`${name}=`);
    }
  });

  it.each(Object.keys(required))('is not created without %s', (name) => {
    expect(() => newSecretDocument({ ...required, [name]: '' }, day)).toThrow(`Set ${name}`);
  });

  it('is not created if the service could not read it', () => {
    const variables = { ...required, TIKTOK_CLIENT_ID: 'app' };

    expect(() => newSecretDocument(variables, day)).toThrow('networks.TIKTOK.clientSecret');
  });
});

describe('newSecretDocument and putFirstSecret', () => {
  it('creates new 32-byte keys each time, named after the day', () => {
    const made = [1, 2].map(() => JSON.parse(newSecretDocument(required, day)));
    const keys = made.flatMap(({ jwtKeys, encryptionKeys, hashKey }) => [
      jwtKeys[0].secret,
      encryptionKeys[0].key,
      hashKey,
    ]);

    expect(new Set(keys).size).toBe(6);
    expect(keys.map((key) => Buffer.from(key, 'base64').length)).toEqual(Array(6).fill(32));
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
