import { beforeEach, describe, expect, it, vi } from 'vitest';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { getBalance, setUpBilling } from '#schemas/billing.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { atOnce } from '#tests/support/depth.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { sandbox } from '#tests/support/mails.ts';
import { customersOf, refuseAddress } from '#tests/support/provider.ts';
import { storedItems } from '#tests/support/table.ts';
import { type SetUpSetup, setUpSetup } from './setup.ts';

let world: SetUpSetup;

beforeEach(async () => {
  world = await setUpSetup();
});

function setUp(email = freshEmail()) {
  return call(setUpBilling, world.here({ body: { email, name: 'Difference Ltd' } }));
}

describe('setting up billing', () => {
  it('creates a customer with the given name and address, and a zero balance', async () => {
    const email = freshEmail();

    const answer = await setUp(email);

    expect(answer.status).toBe(201);
    const customers = await customersOf(email);
    expect(customers).toMatchObject([{ id: answer.body.stripeCustomerId, name: 'Difference Ltd' }]);
    expect(answer.body).toEqual({
      success: true,
      stripeCustomerId: customers[0]?.id,
      billingEmail: email,
      organizationId: world.organizationId,
      message: 'Billing setup completed successfully',
    });
    const read = await call(getBalance, world.here());
    expect(read.body.balance).toMatchObject({ credits: 0, currency: 'USD' });
    const log = await call(listAuditLog, {
      token: world.owner.token,
      params: { organization_id: world.organizationId },
    });
    expect(log.body.entries[0]).toMatchObject({
      action: 'billing.set_up',
      actorId: world.owner.userId,
    });
  });

  it('succeeds for only one of many concurrent requests and creates one customer', async () => {
    const email = freshEmail();

    const answers = await Promise.all(Array.from({ length: atOnce(20) }, () => setUp(email)));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(answers.length - 1);
    expect(await customersOf(email)).toHaveLength(1);
    const again = await setUp(email);
    expect(again.status).toBe(409);
    expect(again.body.message).toBe('Billing is already configured for this organization');
  });

  it('returns 409 for the organization created at signup', async () => {
    const body = { email: freshEmail(), name: 'Analytical Engines' };

    expect((await call(setUpBilling, { token: world.owner.token, body })).status).toBe(409);
  });

  it('returns 502 while the provider is down and can be retried immediately', async () => {
    await sandbox.addFault({ service: 'stripe', mode: 'down' });
    const email = freshEmail();
    const refused = await setUp(email);
    expect(refused.status).toBe(502);
    expect(refused.body.message).toBe('Payment service temporarily unavailable');
    await sandbox.clearFaults();

    expect((await setUp(email)).status).toBe(201);
  });

  it('reports email when the provider rejects the address, and leaves nothing behind', async () => {
    const email = freshEmail();
    await refuseAddress(email);

    const answer = await setUp(email);

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([
      'email must be an address that the payment provider accepts',
    ]);
    expect(JSON.stringify(await storedItems('SIGNUP#'))).not.toContain(email);
    await sandbox.clearFaults();
    expect((await setUp(email)).status).toBe(201);
  });

  it('deletes a customer whose creation got no response', async () => {
    vi.stubEnv('PAYMENT_TIMEOUT_MS', '1000');
    await sandbox.addFault({ service: 'stripe', method: 'POST', mode: 'hang-after' });
    const lost = freshEmail();
    expect((await setUp(lost)).status).toBe(502);
    vi.unstubAllEnvs();
    await sandbox.clearFaults();
    expect(await customersOf(lost)).toHaveLength(1);
    const kept = freshEmail();
    expect((await setUp(kept)).status).toBe(201);

    setClock(() => Date.now() + 11 * minuteMs);
    await runDueWork();

    expect(await customersOf(lost)).toHaveLength(0);
    expect(await customersOf(kept)).toHaveLength(1);
    expect(await storedItems('SIGNUP#')).toEqual([]);
  });

  it('reports the problems of the address and the name', async () => {
    const answer = await call(setUpBilling, world.here({ body: { email: 'nowhere', name: '' } }));

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([
      'email must be an email',
      expect.stringMatching(/^name /),
    ]);
  });
});
