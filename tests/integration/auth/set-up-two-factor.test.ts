import { describe, expect, it } from 'vitest';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { enableTwoFactor, logIn, setUpTwoFactor, signInWithGoogle } from '#schemas/auth.ts';
import { codeOf, plantTwoFactor } from '#scripts/fixtures/two-factor.ts';
import { freshEmail, newAccount, password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';
import { readQrCode } from '#tests/support/qr-code.ts';

const ada = await newAccount();

const setUp = ({ token }: { token: string }) =>
  call(setUpTwoFactor, { token, body: {}, headers: { 'idempotency-key': crypto.randomUUID() } });

describe('setting up two-factor authentication', () => {
  it('returns a secret, its URL for authenticator apps, and a QR code of the URL', async () => {
    const { status, body } = await setUp(ada);
    const url = new URL(body.otpauthUrl);

    expect(status).toBe(200);
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(url.protocol + url.host).toBe('otpauth:totp');
    expect(decodeURIComponent(url.pathname)).toBe(`/Social Leads:${ada.email}`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: 'Social Leads',
      secret: body.secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
    expect(readQrCode(body.qrSvg)).toBe(body.otpauthUrl);
  });

  it('stores the secret encrypted, bound to its item', async () => {
    const { body } = await setUp(ada);
    const stored = await get<{ secret: string }>(keys.twoFactor(ada.userId));

    expect(stored?.secret).toMatch(/^v1\./);
    expect(JSON.stringify(stored)).not.toContain(body.secret);
  });

  it('changes nothing for sign-ins, and replaces an unfinished setup', async () => {
    const first = await setUp(ada);
    await setUp(ada);

    expect((await call(logIn, { body: { email: ada.email, password } })).status).toBe(200);
    const body = { code: codeOf(first.body.secret) };
    expect((await call(enableTwoFactor, { token: ada.token, body })).status).toBe(400);
  });

  it('returns 409 if it is already on', async () => {
    const account = await newAccount();
    await plantTwoFactor(account.userId);
    const { status, body } = await setUp(account);

    expect([status, body.message]).toEqual([409, 'Two-factor authentication is already on']);
  });

  it.each(['setup', 'activation'])('returns 409 for an overtaken %s', async (slow) => {
    const account = await newAccount();
    const body = { code: codeOf((await setUp(account)).body.secret) };
    const begin = () => setUp(account);
    const enable = () => call(enableTwoFactor, { token: account.token, body });
    const calls = slow === 'setup' ? ([begin, enable] as const) : ([enable, begin] as const);
    const key = keys.twoFactor(account.userId);
    const { answer, other } = await overtake({ begin: calls[0], key }, calls[1]);

    expect([other.status, answer.status]).toEqual([200, 409]);
  });

  it('returns 403 for a user who signs in with Google', async () => {
    const idToken = await sandbox.issueGoogleIdToken({ email: freshEmail() });
    const { body } = await call(signInWithGoogle, {
      body: { idToken, organizationName: 'Engines', paymentMethodId: 'pm_card_visa' },
    });

    expect((await setUp({ token: body.authToken })).status).toBe(403);
  });
});
