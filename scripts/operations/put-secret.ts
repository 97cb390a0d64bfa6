import { parseArgs } from 'node:util';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { newSecretDocument, putFirstSecret } from './first-secret.ts';

const { stage } = parseArgs({ options: { stage: { type: 'string' } } }).values;
const stripeSecretKey = process.env.STRIPE_SECRET_KEY;

if (!stage || !stripeSecretKey) {
  console.error("Say --stage, and give the payment provider's key in STRIPE_SECRET_KEY.");
  process.exit(1);
}
const secretId = `social-leads/${stage}`;
const document = newSecretDocument(stripeSecretKey, new Date());
await putFirstSecret(new SecretsManagerClient({}), secretId, document);
console.log(`${secretId} has its first keys.`);
