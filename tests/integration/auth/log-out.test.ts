import { describe, expect, it } from 'vitest';
import { getMe, logIn, logOut } from '#schemas/auth.ts';
import { newAccount, password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { atOnce } from '#tests/support/depth.ts';
import { storedItems } from '#tests/support/table.ts';

describe('logging out', () => {
  it('clears the cookie with the attributes it was set with', async () => {
    const { token } = await newAccount();
    const answer = await call(logOut, { token, body: {} });

    expect(answer.body).toEqual({ success: true, message: 'Logged out successfully' });
    expect(answer.cookies).toEqual([
      '__Host-auth_token=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=None; Partitioned',
    ]);
  });

  it('accepts a request without a body', async () => {
    const { token } = await newAccount();

    expect((await call(logOut, { token })).status).toBe(200);
  });

  it('removes the session', async () => {
    const { token, userId } = await newAccount();
    await call(logOut, { token });

    const items = await storedItems(`USER#${userId}`);
    expect(items.filter(({ sk }) => sk.startsWith('SESSION#'))).toEqual([]);
  });

  it("keeps the user's other sessions", async () => {
    const { token, email } = await newAccount();
    const other = await call(logIn, { body: { email, password } });
    await call(logOut, { token });

    expect((await call(getMe, { token: other.body.authToken })).status).toBe(200);
  });
});

describe('authentication', () => {
  it('rejects the token afterwards, each time', async () => {
    const { token } = await newAccount();
    await call(logOut, { token });
    const answers = await Promise.all(
      Array.from({ length: atOnce(20) }, (_, index) =>
        index % 2 === 0
          ? call(getMe, { token })
          : call(getMe, { cookies: [`__Host-auth_token=${token}`] }),
      ),
    );

    expect(answers.filter(({ status }) => status !== 401)).toEqual([]);
  });

  it('rejects a second logout with the same token', async () => {
    const { token } = await newAccount();
    await call(logOut, { token });

    expect((await call(logOut, { token })).status).toBe(401);
  });
});
