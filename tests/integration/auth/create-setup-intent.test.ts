import { describe, expect, it, onTestFinished } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import type { FaultRequest } from '#packages/sandbox/src/frame/faults.ts';
import { createSetupIntent, switchOrganization } from '#schemas/auth.ts';
import type { Role } from '#schemas/contract.ts';
import { leaveOrganization } from '#schemas/organizations.ts';
import { type Account, newAccount, newMember } from '#tests/support/accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { customersOf, provider } from '#tests/support/provider.ts';

/** Returns the customer of the setup intent with the returned client secret, if any. */
async function customerBehind({ body }: Answer) {
  const [id = ''] = String(body.clientSecret).split('_secret_');
  const intent = await provider.setupIntents.retrieve(id);
  expect(intent).toMatchObject({ usage: 'off_session', client_secret: body.clientSecret });

  return intent.customer;
}

async function customerOf({ email }: Account) {
  return (await customersOf(email))[0]?.id;
}

describe('creating a setup intent', () => {
  it("collects for the organization's customer when the caller is the OWNER", async () => {
    const owner = await newAccount();
    const answer = await call(createSetupIntent, { token: owner.token, body: {} });

    expect(answer.body.message).toBe('Setup intent created successfully');
    expect(await customerBehind(answer)).toBe(await customerOf(owner));
  });

  it.each<[Role, boolean]>([
    ['ADMIN', true],
    ['MEMBER', false],
    ['VIEWER', false],
  ])('collects for the customer of the current organization as %s: %s', async (role, isFor) => {
    const inviter = await newAccount();
    const member = await newMember(inviter, role);
    await call(switchOrganization, {
      token: member.token,
      body: { organizationId: inviter.organizationId },
    });
    const bySession = await call(createSetupIntent, { token: member.token });
    const headers = { 'x-organization-id': inviter.organizationId };
    const byHeader = await call(createSetupIntent, { token: member.token, headers });

    const expected = isFor ? await customerOf(inviter) : null;
    expect(await customerBehind(bySession)).toBe(expected);
    expect(await customerBehind(byHeader)).toBe(expected);
  });

  it('uses no customer when the caller has no organization', async () => {
    const inviter = await newAccount();
    const owner = await newMember(inviter, 'OWNER');
    const params = { organization_id: inviter.organizationId };
    await call(leaveOrganization, { params, token: inviter.token });

    const answer = await call(createSetupIntent, { token: inviter.token });
    expect(await customerBehind(answer)).toBeNull();
    expect(owner.userId).not.toBe(inviter.userId);
  });
});

describe('failures', () => {
  it.each<[string, Omit<FaultRequest, 'service'>]>([
    ['is down', { mode: 'down' }],
    ['refuses connections', { mode: 'refuse' }],
    ['fails', { mode: 'error', status: 500 }],
    ['returns no JSON', { mode: 'error', status: 200, body: 'nonsense' }],
  ])('returns 502 while the provider %s', async (_, fault) => {
    const { token } = await newAccount();
    await sandbox.addFault({ service: 'stripe', path: 'setup_intents', ...fault });
    const answer = await call(createSetupIntent, { token });

    expect(answer.status).toBe(502);
    expect(answer.body.message).toBe('Payment service temporarily unavailable');
    await sandbox.clearFaults();
    expect((await call(createSetupIntent, { token })).status).toBe(200);
  });

  it('returns 502 without calling the provider for 30 seconds after five failures', async () => {
    const { token } = await newAccount();
    const asked = async () => (await sandbox.requests({ service: 'stripe' })).length;
    const fault = { service: 'stripe', path: 'setup_intents', mode: 'down' } as const;
    const { id } = await sandbox.addFault(fault);
    for (let outage = 1; outage <= 5; outage += 1) {
      await call(createSetupIntent, { token });
    }
    await sandbox.endFault(id);
    const before = await asked();
    const answer = await call(createSetupIntent, { token });

    expect(answer.status).toBe(502);
    expect(answer.body.message).toBe('Payment service temporarily unavailable');
    expect(await asked()).toBe(before);

    setClock(() => Date.now() + 30_000);
    expect((await call(createSetupIntent, { token })).status).toBe(200);
    setClock();
  });
});

describe('the limit of setup intents', () => {
  it('is 10 a minute per user, even for concurrent calls', async () => {
    setClock(() => Math.floor(Date.now() / 60_000) * 60_000);
    onTestFinished(() => setClock());
    const [owner, other] = [await newAccount(), await newAccount()];

    const answers = await Promise.all(
      Array.from({ length: 14 }, () => call(createSetupIntent, { token: owner.token })),
    );

    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(10).fill(200), ...Array(4).fill(429)]);
    expect((await call(createSetupIntent, { token: other.token })).status).toBe(200);
  });
});
