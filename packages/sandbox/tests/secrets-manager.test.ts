import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
} from '@aws-sdk/client-secrets-manager';
import { expect, test } from 'vitest';
import { refusalOf, startSetup } from './setup.ts';

const SecretId = 'social-leads/test';

test('the Secrets Manager stand-in reads an initial secret by name and by ARN', async () => {
  const { secrets } = await startSetup({ [SecretId]: '{"a":1}' });

  const byName = await secrets.send(new GetSecretValueCommand({ SecretId }));
  const byArn = await secrets.send(new GetSecretValueCommand({ SecretId: byName.ARN }));

  expect(byName).toMatchObject({
    Name: SecretId,
    SecretString: '{"a":1}',
    VersionStages: ['AWSCURRENT'],
    CreatedDate: expect.any(Date),
  });
  expect(byArn.SecretString).toBe('{"a":1}');
});

test('the Secrets Manager stand-in makes a new value current and the old value previous', async () => {
  const { secrets } = await startSetup({ [SecretId]: 'one' });
  const read = async (VersionStage?: string) =>
    (await secrets.send(new GetSecretValueCommand({ SecretId, VersionStage }))).SecretString;

  await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: 'two' }));
  expect([await read(), await read('AWSPREVIOUS')]).toEqual(['two', 'one']);

  await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: 'three' }));
  expect([await read(), await read('AWSPREVIOUS')]).toEqual(['three', 'two']);

  const { VersionIdsToStages } = await secrets.send(new DescribeSecretCommand({ SecretId }));
  expect(Object.values(VersionIdsToStages ?? {})).toEqual([['AWSPREVIOUS'], ['AWSCURRENT']]);
});

test('the Secrets Manager stand-in keeps the current value when a pending one is stored', async () => {
  const { secrets } = await startSetup({ [SecretId]: 'one' });
  const command = { SecretId, SecretString: 'two', VersionStages: ['AWSPENDING'] };

  const { VersionId } = await secrets.send(new PutSecretValueCommand(command));

  const current = await secrets.send(new GetSecretValueCommand({ SecretId }));
  const pending = await secrets.send(new GetSecretValueCommand({ SecretId, VersionId }));
  expect([current.SecretString, pending.SecretString]).toEqual(['one', 'two']);
});

test('the Secrets Manager stand-in accepts a repeated request token with the same value and rejects it with another value', async () => {
  const { secrets } = await startSetup({ [SecretId]: 'one' });
  const put = (SecretString: string) =>
    secrets.send(
      new PutSecretValueCommand({
        SecretId,
        SecretString,
        ClientRequestToken: '11111111-1111-4111-8111-111111111111',
      }),
    );
  await put('two');

  expect((await put('two')).VersionStages).toEqual(['AWSCURRENT']);
  expect(await refusalOf(put('three'))).toMatchObject({ name: 'ResourceExistsException' });
});

test('the Secrets Manager stand-in returns not found for an unknown secret or version', async () => {
  const { secrets } = await startSetup({ [SecretId]: 'one' });
  const unknown = [
    new GetSecretValueCommand({ SecretId: 'nothing' }),
    new GetSecretValueCommand({ SecretId, VersionStage: 'AWSPREVIOUS' }),
  ];

  for (const command of unknown) {
    expect(await refusalOf(secrets.send(command))).toMatchObject({
      name: 'ResourceNotFoundException',
    });
  }
});

test('the Secrets Manager stand-in restores the initial secrets on reset', async () => {
  const { secrets, control } = await startSetup({ [SecretId]: 'one' });
  await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: 'two' }));

  await control.reset();

  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  expect(SecretString).toBe('one');
});

test('the Secrets Manager stand-in rejects an unsupported operation and records it as unexpected', async () => {
  const { secrets, control } = await startSetup();

  expect(await refusalOf(secrets.send(new ListSecretsCommand({})))).toMatchObject({
    name: 'UnknownOperationException',
  });
  expect(await control.requests()).toMatchObject([{ service: 'secretsmanager', unexpected: true }]);
});
