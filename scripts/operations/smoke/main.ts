import { parseArgs } from 'node:util';
import { stepsOf } from '#scripts/dev/demo/step.ts';
import { smoke } from './smoke.ts';

/**
 * `npm run smoke -- --url https://api.example.com` checks a service after a deployment without
 * changing anything. `--write` also signs up and deletes the organization. Local services need no
 * flag. `--card` is the payment method of the signup, by default a test card of Stripe.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      write: { type: 'boolean', default: false },
      card: { type: 'string', default: 'pm_card_visa' },
    },
  });
  if (!values.url || !URL.canParse(values.url)) {
    throw new Error('Pass the address of the service: npm run smoke -- --url https://…');
  }
  const { origin, hostname } = new URL(values.url);
  const isWriting = values.write || ['localhost', '127.0.0.1'].includes(hostname);
  const step = stepsOf((line) => console.log(line), 'the log group `api`');
  await smoke({ url: origin, isWriting, paymentMethodId: values.card }, step);
  console.log(isWriting ? 'Passed.' : 'Passed. Only reads were checked; --write checks writes.');
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
