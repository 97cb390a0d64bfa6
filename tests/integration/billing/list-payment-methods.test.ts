import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultCardOf } from '#tests/support/billing.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { type PaymentMethodSetup, paymentMethodSetup } from './setup.ts';

let world: PaymentMethodSetup;

beforeEach(async () => {
  world = await paymentMethodSetup();
});

beforeAll(liftRateLimits);

describe('a payment method', () => {
  it('becomes the default when added, and all are listed newest first', async () => {
    const answer = await world.addPaymentMethod('pm_card_mastercard');

    expect(answer.status).toBe(201);
    const { paymentMethodId } = answer.body;
    expect(answer.body).toMatchObject({ brand: 'mastercard', last4: '4444', isDefault: true });
    expect(await defaultCardOf(world.owner.organizationId)).toBe(paymentMethodId);
    expect(await world.listPaymentMethods()).toMatchObject({
      paymentMethods: [
        { id: paymentMethodId, type: 'card', card: { brand: 'mastercard' }, isDefault: true },
        { id: world.first, type: 'card', card: { brand: 'visa', last4: '4242' }, isDefault: false },
      ],
      defaultPaymentMethodId: paymentMethodId,
      total: 2,
    });
    expect(await world.actions()).toEqual(['billing.payment_method_added']);
  });
});
