import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sandbox } from '#tests/support/mails.ts';
import { provider } from '#tests/support/provider.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { type PaymentMethodSetup, paymentMethodSetup } from './setup.ts';

let world: PaymentMethodSetup;

beforeEach(async () => {
  world = await paymentMethodSetup();
});

beforeAll(liftRateLimits);

describe('a payment method', () => {
  it('is stored once when added twice', async () => {
    const id = await world.added();

    expect((await world.addPaymentMethod(id)).status).toBe(201);
    expect((await world.listPaymentMethods()).total).toBe(2);
  });

  it.each([
    ['pm_card_chargeDeclined', 'Your card was declined.'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'Your card has insufficient funds.'],
  ])(
    'returns 402 and changes nothing when the card is declined (%s)',
    async (testCard, message) => {
      const before = await world.listPaymentMethods();

      expect(await world.addPaymentMethod(testCard)).toMatchObject({
        status: 402,
        body: { error: 'Payment Required', message },
      });
      expect(await world.listPaymentMethods()).toEqual(before);
      expect(await world.actions()).toEqual([]);
    },
  );
});

describe('while the provider does not respond', () => {
  it('allows adding a card again when the response was lost after it was attached', async () => {
    const fault = { service: 'stripe', path: '/attach$', mode: 'hang-after' } as const;
    await sandbox.addFault(fault);
    const { id } = await provider.paymentMethods.create({
      type: 'card',
      card: { token: 'tok_visa' },
    });
    vi.stubEnv('PAYMENT_TIMEOUT_MS', '1000');
    expect((await world.addPaymentMethod(id)).status).toBe(502);
    vi.unstubAllEnvs();
    await sandbox.clearFaults();

    expect((await world.addPaymentMethod(id)).status).toBe(201);
    expect(await world.listPaymentMethods()).toMatchObject({
      total: 2,
      defaultPaymentMethodId: id,
    });
  });
});
