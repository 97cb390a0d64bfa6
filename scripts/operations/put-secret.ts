import { parseArgs } from 'node:util';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { newSecretDocument, putFirstSecret } from './first-secret.ts';

const { stage } = parseArgs({ options: { stage: { type: 'string' } } }).values;
const stripeSecretKey = process.env.STRIPE_SECRET_KEY;

if (!stage || !stripeSecretKey) {
  console.error('Pass --stage and set STRIPE_SECRET_KEY to your Stripe secret key.');
  process.exit(1);
}
const secretId = `social-leads/${stage}`;
const document = newSecretDocument(stripeSecretKey, new Date());
await putFirstSecret(new SecretsManagerClient({}), secretId, document);
console.log(`Created the first keys in ${secretId}.`);
