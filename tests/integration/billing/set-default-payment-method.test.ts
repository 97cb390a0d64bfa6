import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setDefaultPaymentMethod } from '#schemas/billing-subscription.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { defaultCardOf, subscribe } from '#tests/support/billing.ts';
import { provider } from '#tests/support/provider.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { type PaymentMethodSetup, paymentMethodSetup } from './setup.ts';

const notFound = "Payment method not found or you don't have access";

let world: PaymentMethodSetup;

beforeEach(async () => {
  world = await paymentMethodSetup();
});

beforeAll(liftRateLimits);

const choose = (id: string) =>
  call(setDefaultPaymentMethod, { token: world.owner.token, params: { payment_method_id: id } });

describe('a payment method', () => {
  it('returns 400 in a body and 404 in a path for an unknown or another customer’s card', async () => {
    const foreign = await defaultCardOf((await newAccount()).organizationId);
    for (const id of ['pm_1Unknown', foreign]) {
      const answer = await world.addPaymentMethod(id);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toEqual([expect.stringMatching(/^paymentMethodId /)]);
      expect(await world.removePaymentMethod(id)).toMatchObject({
        status: 404,
        body: { message: notFound },
      });
      expect(await choose(id)).toMatchObject({ status: 404, body: { message: notFound } });
    }
    expect((await world.listPaymentMethods()).total).toBe(1);
  });

  it('pays for the subscription once it is chosen as the default', async () => {
    const second = await world.added();
    await subscribe(world.owner);

    expect((await choose(world.first)).status).toBe(200);

    expect(await defaultCardOf(world.owner.organizationId)).toBe(world.first);
    const { data } = await provider.subscriptions.list();
    expect(data[0]?.default_payment_method).toBe(world.first);
    await choose(second);
    expect((await provider.subscriptions.list()).data[0]?.default_payment_method).toBe(second);
  });
});
