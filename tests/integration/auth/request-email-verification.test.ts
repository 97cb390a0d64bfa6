import { describe, expect, it } from 'vitest';
import { hourMs, setClock } from '#lib/platform/clock.ts';
import { requestEmailVerification, signUp, updateMe, verifyEmail } from '#schemas/auth.ts';
import { freshEmail, newAccount, signUpBody } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { mailsTo, tokenIn } from '#tests/support/mails.ts';
import { passTime, stopClock } from '#tests/support/time.ts';

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

  it('mails who signed up, when and from where, and what to do if it was somebody else', async () => {
    setClock(() => Date.parse('2026-11-27T23:30:00.000Z'));
    const body = signUpBody({ firstName: 'Ada', lastName: 'of https://evil.example' });
    const { authToken: token } = (await call(signUp, { body, ip: '203.0.113.7' })).body;
    await call(requestEmailVerification, { token, ip: '203.0.113.8' });
    const [mail] = await mailsTo(body.email);

    expect(mail?.text).toContain(
      'Ada of signed up for Social Leads with this email address on November 27, 2026 (UTC), from the IP address 203.0.113.7.',
    );
    expect(mail?.text).toContain("If it wasn't you, don't confirm the address");
  });

  it('mails from where the address was changed', async () => {
    const { token } = await newAccount();
    const email = freshEmail('new');
    await call(updateMe, { token, body: { email }, ip: '203.0.113.9' });
    await call(requestEmailVerification, { token, ip: '203.0.113.10' });
    const texts = (await mailsTo(email)).map(({ text }) => text);

    for (const ip of ['203.0.113.9', '203.0.113.10']) {
      const sentence = new RegExp(
        `^Ada Lovelace changed the email address .* from the IP address ${ip}\\.`,
      );
      expect(texts).toContainEqual(expect.stringMatching(sentence));
    }
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
