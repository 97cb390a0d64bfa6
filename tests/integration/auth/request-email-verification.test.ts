import { afterEach, describe, expect, it } from 'vitest';
import { hourMs, setClock } from '#lib/platform/clock.ts';
import { requestEmailVerification, verifyEmail } from '#schemas/auth.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { mailsTo, tokenIn } from '#tests/support/mails.ts';
import { passTime, stopClock } from '#tests/support/time.ts';

afterEach(() => setClock());

describe('requesting email verification', () => {
  it('mails a link that verifies the address', async () => {
    const { token, email } = await newAccount();
    const answer = await call(requestEmailVerification, { token });

    expect(answer.status).toBe(200);
    const mails = await mailsTo(email);
    expect(mails).toHaveLength(1);
    const verified = await call(verifyEmail, { body: { token: tokenIn(mails[0]) } });
    expect(verified.status).toBe(200);
  });

  it('returns the same response and sends no mail for a verified address', async () => {
    const { token, email } = await newAccount();
    const first = await call(requestEmailVerification, { token });
    const [mail] = await mailsTo(email);
    await call(verifyEmail, { body: { token: tokenIn(mail) } });
    const second = await call(requestEmailVerification, { token });

    expect(second.body).toEqual(first.body);
    expect(await mailsTo(email)).toHaveLength(1);
  });
});

describe('rate limit', () => {
  it('sends at most five mails an hour to a user', async () => {
    stopClock();
    const { token, email } = await newAccount();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call(requestEmailVerification, { token })),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
    expect(await mailsTo(email)).toHaveLength(5);
    passTime(hourMs);
    expect((await call(requestEmailVerification, { token })).status).toBe(200);
  });
});
