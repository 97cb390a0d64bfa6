import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBillingSetupIntent } from '#schemas/billing-subscription.ts';
import { call } from '#tests/support/api.ts';
import { customerOf } from '#tests/support/billing.ts';
import { provider } from '#tests/support/provider.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { type PaymentMethodSetup, paymentMethodSetup } from './setup.ts';

let world: PaymentMethodSetup;

beforeEach(async () => {
  world = await paymentMethodSetup();
});

beforeAll(liftRateLimits);

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
