import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  addPaymentMethod,
  createBillingSetupIntent,
  listInvoices,
  listPaymentMethods,
  listPlans,
  removePaymentMethod,
  setDefaultPaymentMethod,
} from '#schemas/billing-subscription.ts';
import { createOrganization } from '#schemas/organizations.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { measureWaits } from '#tests/support/waiting.ts';
import { type PaymentMethodSetup, paymentMethodSetup } from './setup.ts';

let world: PaymentMethodSetup;

beforeEach(async () => {
  world = await paymentMethodSetup();
});

beforeAll(liftRateLimits);

describe('while the provider does not respond', () => {
  it.each(['down', 'hang'] as const)(
    'returns 502 in time for cards and invoices (%s)',
    async (mode) => {
      await sandbox.addFault({ service: 'stripe', mode });
      const { token } = world.owner;

      const { result: answers, waitedMs } = await measureWaits(() =>
        Promise.all([
          call(listPaymentMethods, { token }),
          call(listInvoices, { token }),
          call(createBillingSetupIntent, { token, body: {} }),
          world.addPaymentMethod('pm_card_visa'),
        ]),
      );

      expect(waitedMs).toBeLessThan(10_000);
      expect(answers.map(({ status }) => status)).toEqual([502, 502, 502, 502]);
      expect(answers[0]?.body.message).toBe('Payment service temporarily unavailable');
      await sandbox.clearFaults();
      expect((await world.removePaymentMethod(world.first)).status).toBe(200);
    },
  );
});

describe('before billing is set up', () => {
  it('returns 404 with instructions for everything except the plans', async () => {
    const { body } = await call(createOrganization, {
      token: world.owner.token,
      body: { name: 'Difference Engines' },
    });
    const headers = { 'x-organization-id': body.organization.id };
    const { token } = world.owner;
    const answers = await Promise.all([
      call(listPaymentMethods, { token, headers }),
      call(listInvoices, { token, headers }),
      call(createBillingSetupIntent, { token, headers, body: {} }),
      call(addPaymentMethod, { token, headers, body: { paymentMethodId: 'pm_card_visa' } }),
      call(removePaymentMethod, { token, headers, params: { payment_method_id: 'pm_1' } }),
      call(setDefaultPaymentMethod, { token, headers, params: { payment_method_id: 'pm_1' } }),
    ]);
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 404,
        body: { suggestion: expect.stringContaining('POST /billing/setup') },
      });
    }
    expect((await call(listPlans, { token, headers })).status).toBe(200);
  });
});
