import { describe, expect, test } from 'vitest';
import { createPlatformSignInLink } from '#schemas/operators.ts';
import { freshEmail, newAccount } from '#tests/support/accounts.ts';
import { onboard, operate, person } from './setup.ts';

describe('creating a sign-in link', () => {
  test('returns a URL that is valid for five minutes', async () => {
    const { params } = await onboard();
    const { status, body } = await operate(createPlatformSignInLink, { params, body: person() });

    expect(status).toBe(201);
    expect(body.url).toMatch(/^http:\/\/localhost:3000\/sign-in\/[\w-]{43}$/);
    const leftMs = Date.parse(body.expiresAt) - Date.now();
    expect(leftMs).toBeGreaterThan(290_000);
    expect(leftMs).toBeLessThanOrEqual(300_000);
  });

  test('returns 409 for a person who has a password', async () => {
    const { email } = await newAccount();
    const { params } = await onboard();
    const { status, body } = await operate(createPlatformSignInLink, {
      params,
      body: person({ email }),
    });

    expect([status, body.code]).toEqual([409, 'ACCOUNT_EXISTS']);
  });

  test.each([
    ['inbox'],
    ['//evil.example.com'],
    ['/\\evil.example.com'],
    ['https://evil.example.com'],
    [''],
  ])('rejects the path %j', async (path) => {
    const { params } = await onboard();
    const body = person({ path });

    expect((await operate(createPlatformSignInLink, { params, body })).status).toBe(400);
  });

  test('returns 404 for an unknown organization', async () => {
    const params = { organization_id: crypto.randomUUID() };
    const body = person({ email: freshEmail() });

    expect((await operate(createPlatformSignInLink, { params, body })).status).toBe(404);
  });
});
