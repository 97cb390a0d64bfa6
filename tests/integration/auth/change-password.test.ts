import { beforeEach, describe, expect, it } from 'vitest';
import { minuteMs } from '#lib/platform/clock.ts';
import { changePassword, getMe, logIn } from '#schemas/auth.ts';
import { newAccount, password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { passTime, stopClock } from '#tests/support/time.ts';

beforeEach(stopClock);
const newPassword = 'a new battery staple';

const change = (token: string, currentPassword = password, to = newPassword) =>
  call(changePassword, { token, body: { currentPassword, newPassword: to } });

describe('changing the password', () => {
  it('makes the new password work and the old one fail', async () => {
    const { token, email } = await newAccount();

    expect((await change(token)).status).toBe(200);
    expect((await call(logIn, { body: { email, password } })).status).toBe(401);
    expect((await call(logIn, { body: { email, password: newPassword } })).status).toBe(200);
  });

  it("ends the user's other sessions and keeps the current one", async () => {
    const { token, email } = await newAccount();
    const others = await Promise.all(
      Array.from({ length: 3 }, () => call(logIn, { body: { email, password } })),
    );
    await change(token);

    expect((await call(getMe, { token })).status).toBe(200);
    for (const { body } of others) {
      expect((await call(getMe, { token: body.authToken })).status).toBe(401);
    }
  });
});

describe('failed changes', () => {
  it('returns 401 for a wrong current password and changes nothing', async () => {
    const { token, email } = await newAccount();
    const answer = await change(token, 'wrong');

    expect(answer.status).toBe(401);
    expect(answer.body.message).toBe('Current password is incorrect');
    expect((await call(logIn, { body: { email, password } })).status).toBe(200);
  });

  it('accepts only one of five concurrent changes', async () => {
    const { token, email } = await newAccount();
    const wanted = Array.from({ length: 5 }, (_, index) => `password number ${index}`);
    const answers = await Promise.all(wanted.map((to) => change(token, password, to)));

    const winners = wanted.filter((_, index) => answers[index]?.status === 200);
    expect(winners).toHaveLength(1);
    const signedIn = await call(logIn, { body: { email, password: winners[0] } });
    expect(signedIn.status).toBe(200);
  });

  it.each(['password', 'PassWord1', '12345678', 'p@ssw0rd', '        ', 'adalovelace'])(
    'rejects the common or personal password %j before it checks the current one',
    async (common) => {
      const { token } = await newAccount();
      const answer = await change(token, 'wrong', common);

      expect([answer.status, answer.body.message]).toEqual([400, ['newPassword is too common']]);
    },
  );

  it('rejects a new password longer than 72 bytes', async () => {
    const { token } = await newAccount();
    const answer = await change(token, password, '€'.repeat(25));

    expect(answer.body.message).toEqual(['newPassword must not be longer than 72 bytes']);
  });
});

describe('rate limit', () => {
  it('allows five wrong passwords and does not count them as failed sign-ins', async () => {
    const { token, email } = await newAccount();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => change(token, `guess ${index}`)),
    );

    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
    expect((await change(token)).status).toBe(429);
    expect((await call(logIn, { body: { email, password } })).status).toBe(200);
    passTime(15 * minuteMs);
    expect((await change(token)).status).toBe(200);
  });

  it('works while strangers have locked the sign-in', async () => {
    const { token, email } = await newAccount();
    for (let time = 0; time < 6; time += 1) {
      await call(logIn, { body: { email, password: 'a guess' } });
    }
    expect((await call(logIn, { body: { email, password } })).status).toBe(429);

    expect((await change(token)).status).toBe(200);
  });

  it('does not count correct passwords', async () => {
    const { token } = await newAccount();
    for (let time = 0; time < 6; time += 1) {
      const [from, to] = time % 2 === 0 ? [password, newPassword] : [newPassword, password];
      expect((await change(token, from, to)).status).toBe(200);
    }
  });
});
