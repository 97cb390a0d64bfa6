import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listInvoices } from '#schemas/billing-subscription.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { subscribe } from '#tests/support/billing.ts';
import { sandbox } from '#tests/support/mails.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { type PaymentMethodSetup, paymentMethodSetup } from './setup.ts';

let world: PaymentMethodSetup;

beforeEach(async () => {
  world = await paymentMethodSetup();
});

beforeAll(liftRateLimits);

describe('listing invoices', () => {
  it('returns invoices newest first, in pages, with a download link', async () => {
    await subscribe(world.owner);
    await sandbox.advancePaymentClock(32);
    await sandbox.advancePaymentClock(31);
    const { token } = world.owner;

    const page = (await call(listInvoices, { token, query: { limit: '2' } })).body;

    expect(page).toMatchObject({
      hasMore: true,
      total: 3,
      message: 'Invoices retrieved successfully',
    });
    expect(page.invoices).toMatchObject([
      { status: 'paid', amount: 29, currency: 'USD', dueDate: null },
      { status: 'paid', amount: 29 },
    ]);
    const [newest, older] = page.invoices;
    expect(newest.periodStart).toBe(older.periodEnd);
    expect(newest.number).toMatch(/-0003$/);
    expect(Date.parse(newest.paidAt)).toBeGreaterThan(Date.parse(older.paidAt));
    const next = await call(listInvoices, {
      token,
      query: { limit: '2', startingAfter: older.id },
    });
    expect(next.body.invoices).toHaveLength(1);
    expect(next.body).toMatchObject({ hasMore: false, total: 3 });
    const file = await fetch(newest.downloadUrl);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect(await file.text()).toMatch(/^%PDF-1\.4\n[\s\S]*%%EOF\n$/);
  });

  it('hides another organization’s invoices and rejects its cursors', async () => {
    const other = await newAccount();
    await subscribe(other);
    const [foreign] = (await call(listInvoices, { token: other.token })).body.invoices;

    expect((await call(listInvoices, { token: world.owner.token })).body.invoices).toEqual([]);
    for (const startingAfter of [foreign.id, 'in_unknown']) {
      const answer = await call(listInvoices, {
        token: world.owner.token,
        query: { startingAfter },
      });
      expect(answer.status).toBe(400);
      expect(answer.body.message).toEqual([expect.stringMatching(/^startingAfter /)]);
    }
  });
});
