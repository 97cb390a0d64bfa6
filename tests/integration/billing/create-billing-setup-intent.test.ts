import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBillingSetupIntent } from '#schemas/billing-subscription.ts';
import { call } from '#tests/support/api.ts';
import { customerOf } from '#tests/support/billing.ts';
import { sandbox } from '#tests/support/mails.ts';
import { provider } from '#tests/support/provider.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { type PaymentMethodWorld, paymentMethodWorld } from './payment-method-world.ts';

let world: PaymentMethodWorld;

beforeEach(async () => {
  world = await paymentMethodWorld();
});

beforeAll(() => {
  liftRateLimits();
});

afterEach(() => sandbox.clearFaults());

describe('a setup intent', () => {
  it('belongs to the organization’s own customer', async () => {
    const { status, body } = await call(createBillingSetupIntent, {
      token: world.owner.token,
      body: {},
    });

    expect(status).toBe(200);
    const intent = await provider.setupIntents.retrieve(
      String(body.clientSecret.split('_secret')[0]),
    );
    expect(intent.customer).toBe(await customerOf(world.owner.organizationId));
  });
});
