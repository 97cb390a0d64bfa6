import { parseArgs } from 'node:util';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { newSecretDocument, putFirstSecret } from './first-secret.ts';

const { stage } = parseArgs({ options: { stage: { type: 'string' } } }).values;

try {
  if (!stage) {
    throw new Error('Pass --stage.');
  }
  const secretId = `social-leads/${stage}`;
  const document = newSecretDocument(process.env, new Date());
  await putFirstSecret(new SecretsManagerClient({}), secretId, document);
  const networks = Object.keys(JSON.parse(document).networks).join(', ') || 'none';
  console.log(`Created the first keys in ${secretId}. Networks: ${networks}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
