// Runs in a separate process: the payment client is created once, with this file's provider URL.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSetupIntent, signUp } from '#schemas/auth.ts';
import { purchaseCredits, setUpBilling } from '#schemas/billing.ts';
import * as subscription from '#schemas/billing-subscription.ts';
import type { Contract } from '#schemas/contract.ts';
import { createOrganization } from '#schemas/organizations.ts';
import { type Account, freshEmail, newAccount, signUpBody } from '#tests/support/accounts.ts';
import { type CallInput, call } from '#tests/support/api.ts';
import { defaultCardOf, subscribe } from '#tests/support/billing.ts';
import { depth } from '#tests/support/depth.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import {
  misbehaviours,
  startUnrulyProvider,
  type UnrulyProvider,
} from '#tests/support/unruly-provider.ts';
import { measureWaits } from '#tests/support/waiting.ts';

let provider: UnrulyProvider;
let calls: readonly (readonly [Contract, CallInput])[];

/** Makes every call that needs the provider. */
async function makeCalls(): Promise<readonly (readonly [Contract, CallInput])[]> {
  const [owner, subscriber] = [await newAccount(), await newAccount()];
  await subscribe(subscriber);
  const { token } = owner;
  const other = await call(createOrganization, { token, body: { name: 'Difference Engines' } });
  const card = await defaultCardOf(owner.organizationId);
  const params = { payment_method_id: card };
  const ofSubscriber: CallInput = { token: subscriber.token };

  return [
    [
      setUpBilling,
      {
        token,
        headers: { 'x-organization-id': other.body.organization.id },
        body: { email: freshEmail(), name: 'Difference Ltd' },
      },
    ],
    [purchaseCredits, { token, body: { amount: 5, paymentMethodId: card } }],
    [
      subscription.createSubscription,
      { token, body: { planId: 'starter', paymentMethodId: card } },
    ],
    [subscription.addPaymentMethod, { token, body: { paymentMethodId: 'pm_card_mastercard' } }],
    [subscription.setDefaultPaymentMethod, { ...(await withCard()), params }],
    [subscription.removePaymentMethod, { ...(await withCard()), params }],
    [subscription.listPaymentMethods, { token }],
    [subscription.createBillingSetupIntent, { token, body: {} }],
    [subscription.listInvoices, { token }],
    [signUp, { body: signUpBody() }],
    [createSetupIntent, { token, body: {} }],
    [subscription.cancelSubscription, ofSubscriber],
    [subscription.pauseSubscription, ofSubscriber],
    [subscription.resumeSubscription, await paused()],
  ];
}

/** Uses a new organization, because changes to one organization's cards exclude each other. */
async function withCard(): Promise<CallInput> {
  return { token: (await newAccount()).token };
}

async function paused(): Promise<CallInput> {
  const account: Account = await newAccount();
  await subscribe(account);
  expect((await call(subscription.pauseSubscription, account)).status).toBe(200);

  return { token: account.token };
}

beforeAll(async () => {
  liftRateLimits();
  provider = await startUnrulyProvider(String(process.env.STRIPE_API_BASE));
  process.env.STRIPE_API_BASE = provider.url;
  // The deployed timeout, if the test depth allows it.
  process.env.PAYMENT_TIMEOUT_MS = String(depth(800, 4_000));
  calls = await makeCalls();
});
afterEach(() => provider.behave(undefined));
afterAll(() => provider.close());

describe('a misbehaving payment provider', () => {
  it.each(Object.entries(misbehaviours))(
    'causes a 502 within ten seconds in every operation that needs it when it %s',
    async (_, misbehaviour) => {
      provider.behave(misbehaviour);

      const { result: answers, waitedMs } = await measureWaits(() =>
        Promise.all(
          calls.map(async ([contract, options]) => {
            const { status, body } = await call(contract, options);

            return [contract.operationId, status, body.message];
          }),
        ),
      );

      expect(answers).toEqual(
        calls.map(([{ operationId }]) => [
          operationId,
          502,
          'Payment service temporarily unavailable',
        ]),
      );
      expect(waitedMs).toBeLessThan(10_000);
    },
  );
});
