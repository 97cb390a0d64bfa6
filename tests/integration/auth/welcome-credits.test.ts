import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signUp } from '#schemas/auth.ts';
import { getBalance } from '#schemas/billing.ts';
import { signUpBody } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { expectBalanced } from '#tests/support/billing.ts';
import { sandbox } from '#tests/support/mails.ts';
import { provider } from '#tests/support/provider.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { storedItems } from '#tests/support/table.ts';

beforeAll(liftRateLimits);

beforeEach(() => {
  process.env.WELCOME_CREDITS_PER_CARD = '1';
});

/** Signs up, and returns the credits of the new organization. */
async function creditsOfSignup(paymentMethodId: string, overrides: object = {}): Promise<number> {
  const { status, body } = await call(signUp, {
    body: signUpBody({ paymentMethodId, ...overrides }),
  });
  expect(status).toBe(201);
  await expectBalanced(body.organization.id);

  return (await call(getBalance, { token: body.authToken })).body.balance.credits;
}

describe('welcome credits', () => {
  it('are granted once per card', async () => {
    expect(await creditsOfSignup('pm_card_gb')).toBe(100);
    expect(await creditsOfSignup('pm_card_gb')).toBe(0);
    expect(await creditsOfSignup('pm_card_fr')).toBe(100);
  });

  it('are granted once for eight concurrent signups with one card', async () => {
    const credits = await Promise.all(
      Array.from({ length: 8 }, () => creditsOfSignup('pm_card_jcb')),
    );

    expect(credits.sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 100]);
  });

  it('are granted as often as WELCOME_CREDITS_PER_CARD allows', async () => {
    process.env.WELCOME_CREDITS_PER_CARD = '2';
    const credits = await Promise.all(
      Array.from({ length: 5 }, () => creditsOfSignup('pm_card_diners')),
    );

    expect(credits.sort()).toEqual([0, 0, 0, 100, 100]);
  });

  it('are not used up by a signup that fails', async () => {
    const body = signUpBody({ paymentMethodId: 'pm_card_unionpay' });
    await sandbox.addFault({ service: 'stripe', mode: 'down' });
    expect((await call(signUp, { body })).status).toBe(502);
    await sandbox.clearFaults();

    expect(await creditsOfSignup('pm_card_unionpay', { email: body.email })).toBe(100);
    expect((await call(signUp, { body })).status).toBe(409);
  });

  it('are granted without storing the fingerprint of the card', async () => {
    await creditsOfSignup('pm_card_de');
    const { data } = await provider.customers.list({ limit: 1 });
    const { data: methods } = await provider.customers.listPaymentMethods(String(data[0]?.id));
    const fingerprint = String(methods[0]?.card?.fingerprint);

    expect(fingerprint).toMatch(/^\w{16}$/);
    expect(JSON.stringify(await storedItems('CARD#'))).not.toContain(fingerprint);
  });
});
