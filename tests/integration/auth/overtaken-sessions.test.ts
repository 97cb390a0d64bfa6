import { beforeEach, expect, test } from 'vitest';
import { changePassword, forgotPassword, getMe, logIn, resetPassword } from '#schemas/auth.ts';
import { type Account, newAccount, password } from '#tests/support/accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { mailsTo, tokenIn } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';

const newPassword = 'a new battery staple';

let ada: Account;

beforeEach(async () => {
  ada = await newAccount();
});

const credentials = () => ({ body: { email: ada.email, password } });
const change = () => ({ token: ada.token, body: { currentPassword: password, newPassword } });

async function reset() {
  await call(forgotPassword, { body: { email: ada.email } });
  const [mail] = await mailsTo(ada.email);

  return { body: { token: tokenIn(mail), newPassword } };
}

async function isSignedIn({ body }: Answer): Promise<boolean> {
  return (await call(getMe, { token: body.authToken })).status === 200;
}

test('a sign-in opens no session if the password changes while it is verified', async () => {
  const begin = () => call(logIn, credentials());
  const { answer, other } = await overtake({ begin }, () => call(changePassword, change()));

  expect([other.status, answer.status]).toEqual([200, 401]);
});

test.each([
  ['reset', resetPassword, reset],
  ['changed', changePassword, async () => change()],
] as const)(
  'a change of the password ends a session that is opened while the password is being %s',
  async (...given) => {
    const [, contract, request] = given;
    expect((await call(logIn, credentials())).status).toBe(200);
    const slow = await request();
    const begin = () => call(contract, slow);
    const { answer, other } = await overtake({ begin }, () => call(logIn, credentials()));

    expect([other.status, answer.status]).toEqual([200, 200]);
    expect(await isSignedIn(other)).toBe(false);
  },
);
