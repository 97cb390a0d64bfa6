import { describe, expect, test } from 'vitest';
import { planCreditReservation } from '#lib/features/billing/ledger/credit-reservations.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { getBalance, listTransactions, setUpBilling } from '#schemas/billing.ts';
import { adjustPlatformCredits } from '#schemas/operators.ts';
import { createOrganization, listAuditLog } from '#schemas/organizations.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { onboard, operate } from './setup.ts';

type Params = { readonly organization_id: string };

function adjust(params: Params, credits: number, headers = {}) {
  const body = { credits, reason: 'May plan' };

  return operate(adjustPlatformCredits, { params, body, headers });
}

function balanceOf({ organization_id: organizationId }: Params) {
  return get<{ readonly credits: number }>(keys.balance(organizationId));
}

describe('adjusting credits', () => {
  test('adds a transaction with the reason, and an audit entry', async () => {
    const { params, key } = await onboard({ credits: 5 });
    const { status, body } = await adjust(params, 20);
    const audit = await call(listAuditLog, { params, token: key });

    expect(status).toBe(201);
    expect(body).toMatchObject({
      transaction: { type: 'adjustment', credits: 20, amount: 0, description: 'May plan' },
      balance: { credits: 25, debt: 0, currency: 'USD' },
    });
    expect(audit.body.entries[0]).toMatchObject({
      action: 'billing.credits_adjusted',
      actorOperatorKeyId: 'local',
      details: { credits: 20, reason: 'May plan' },
    });
  });

  test('never goes below zero with 20 concurrent adjustments, and adds up exactly', async () => {
    const { params } = await onboard({ credits: 10 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => adjust(params, index % 4 === 0 ? 1 : -1)),
    );
    const applied = answers
      .filter(({ status }) => status === 201)
      .reduce((sum, { body }) => sum + body.transaction.credits, 0);
    const refused = answers.filter(({ status }) => status !== 201);
    const balance = await balanceOf(params);

    expect(balance).toMatchObject({ credits: 10 + applied, available: 10 + applied });
    expect(balance?.credits).toBeGreaterThanOrEqual(0);
    expect(refused.every(({ body }) => body.code === 'CREDITS_INSUFFICIENT')).toBe(true);
  });

  test('does not touch credits that are reserved for replies', async () => {
    const { params, organizationId } = await onboard({ credits: 2 });
    await write(...planCreditReservation(organizationId, newId()));

    expect((await adjust(params, -2)).body.code).toBe('CREDITS_INSUFFICIENT');
    expect((await adjust(params, -1)).body.balance.credits).toBe(1);
  });

  test('works for an organization whose billing was never set up', async () => {
    const { token } = await newAccount();
    const { body } = await call(createOrganization, { token, body: { name: 'Second' } });
    const params = { organization_id: body.organization.id };

    expect((await adjust(params, -1)).status).toBe(409);
    expect((await adjust(params, 7)).body.balance.credits).toBe(7);
  });

  test('keeps the credits when the organization sets up billing', async () => {
    const { token } = await newAccount();
    const { body } = await call(createOrganization, { token, body: { name: 'Second' } });
    const params = { organization_id: body.organization.id };
    const headers = { 'x-organization-id': body.organization.id };
    await adjust(params, 7);
    const setUp = { email: 'billing@example.com', name: 'Second' };
    expect((await call(getBalance, { token, headers })).status).toBe(404);
    expect((await call(setUpBilling, { token, headers, body: setUp })).status).toBe(201);

    expect((await call(getBalance, { token, headers })).body.balance.credits).toBe(7);
    const { body: listed } = await call(listTransactions, { token, headers });
    expect(listed.transactions).toHaveLength(1);
    expect(listed.pagination.total).toBe(1);
  });

  test.each([[0], [1.5], ['1'], [2_000_000_000]])('rejects %j credits', async (credits) => {
    const { params } = await onboard();
    const body = { credits, reason: 'x' };

    expect((await operate(adjustPlatformCredits, { params, body })).status).toBe(400);
  });
});
