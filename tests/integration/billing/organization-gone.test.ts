import { expect, test } from 'vitest';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { deleteOrganization } from '#schemas/organizations.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { buy, customerOf, ledgerOf, runReconcileJob } from '#tests/support/billing.ts';
import { sandbox } from '#tests/support/mails.ts';
import { provider } from '#tests/support/provider.ts';
import { drainWork } from '#tests/support/work.ts';

test('a payment that succeeds after its organization was deleted is refunded once, and the ledger is kept', async () => {
  const owner = await newAccount();
  const customer = await customerOf(owner.organizationId);
  await sandbox.addFault({
    service: 'stripe',
    method: 'POST',
    path: '^/v1/payment_intents$',
    mode: 'hang-after',
  });
  expect((await buy(owner, 25)).status).toBe(502);
  await sandbox.clearFaults();
  const params = { organization_id: owner.organizationId };
  expect((await call(deleteOrganization, { params, token: owner.token })).status).toBe(200);
  await drainWork('organization-removal');

  for (const minutes of [1, 3]) {
    setClock(() => Date.now() + minutes * minuteMs);
    await runReconcileJob();
  }

  const paid = (await provider.paymentIntents.list({ customer })).data[0];
  expect(paid?.status).toBe('succeeded');
  const refunds = await provider.refunds.list({ payment_intent: String(paid?.id) });
  expect(refunds.data).toMatchObject([{ amount: 2_500 }]);
  expect(await ledgerOf(owner.organizationId)).toMatchObject([{ type: 'welcome_credit' }]);
});

test.each([
  ['refunded', (payment_intent: string) => provider.refunds.create({ payment_intent })],
  [
    'disputed',
    (payment_intent: string) =>
      sandbox.sendPaymentEvent({
        type: 'charge.dispute.created',
        object: { id: 'du_gone', payment_intent },
        deliveries: 0,
      }),
  ],
])('a payment of a deleted organization that was already %s is finalized', async (_, giveBack) => {
  const owner = await newAccount();
  const customer = await customerOf(owner.organizationId);
  await sandbox.addFault({
    service: 'stripe',
    method: 'POST',
    path: '^/v1/payment_intents$',
    mode: 'hang-after',
  });
  expect((await buy(owner, 25)).status).toBe(502);
  await sandbox.clearFaults();
  const params = { organization_id: owner.organizationId };
  expect((await call(deleteOrganization, { params, token: owner.token })).status).toBe(200);
  await drainWork('organization-removal');
  const paid = (await provider.paymentIntents.list({ customer })).data[0];
  await giveBack(String(paid?.id));

  setClock(() => Date.now() + minuteMs);
  const first = await runReconcileJob();

  expect(first).toEqual({ settled: 1, open: 0 });
  setClock(() => Date.now() + 3 * minuteMs);
  expect(await runReconcileJob()).toEqual({ settled: 0, open: 0 });
});
