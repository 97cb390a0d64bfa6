import { describe, expect, it } from 'vitest';
import { hourMs } from '#lib/platform/clock.ts';
import { forgotPassword } from '#schemas/auth.ts';
import { freshEmail, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { mailsTo, sandbox, tokenIn } from '#tests/support/mails.ts';
import { lastingItems } from '#tests/support/table.ts';
import { passTime, stopClock } from '#tests/support/time.ts';

const forgot = (email: string) => call(forgotPassword, { body: { email } });

describe('requesting a password reset', () => {
  it('mails a link to set a new password', async () => {
    const { email } = await newAccount();
    expect((await forgot(` ${email.toUpperCase()}`)).status).toBe(200);

    const mails = await mailsTo(email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(
      `${process.env.APP_URL}/password/reset?token=${tokenIn(mails[0])}`,
    );
    expect(tokenIn(mails[0])).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('returns the same bytes and headers for an unknown address, and sends no mail', async () => {
    stopClock();
    const { email } = await newAccount();
    const mailsBefore = (await sandbox.mails()).length;
    const [known, unknown] = [await forgot(email), await forgot(freshEmail('nobody'))];

    const { 'x-request-id': _one, ...knownHeaders } = known.headers;
    const { 'x-request-id': _other, ...unknownHeaders } = unknown.headers;
    expect(JSON.stringify(unknown.body)).toBe(JSON.stringify(known.body));
    expect(unknownHeaders).toEqual(knownHeaders);
    await mailsTo(email);
    expect(await sandbox.mails()).toHaveLength(mailsBefore + 1);
  });

  it('writes the same items for a known and an unknown address', async () => {
    const { email } = await newAccount();
    const kindsAfter = async (address: string) => {
      const before = new Set((await lastingItems()).map(({ pk, sk }) => `${pk} ${sk}`));
      await forgot(address);
      const made = (await lastingItems()).filter(({ pk, sk }) => !before.has(`${pk} ${sk}`));

      return made
        .map(({ pk, sk, ...attributes }) => [
          pk.split('#')[0],
          sk.split('#').slice(0, 2).join('#'),
          Object.keys(attributes).sort(),
        ])
        .sort();
    };
    const known = await kindsAfter(email);

    expect(known).toHaveLength(2);
    expect(await kindsAfter(freshEmail('nobody'))).toEqual(known);
  });

  it('stores the token hashed and the queued mail encrypted', async () => {
    const { email } = await newAccount();
    await forgot(email);
    const stored = JSON.stringify(await lastingItems());
    const [mail] = await mailsTo(email);

    expect(stored).not.toContain(tokenIn(mail));
  });
});

describe('rate limit', () => {
  it('sends at most five mails an hour to an address, known or not', async () => {
    stopClock();
    const { email } = await newAccount();
    for (const address of [email, freshEmail('nobody')]) {
      const answers = await Promise.all(Array.from({ length: 9 }, () => forgot(address)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
    }
    expect(await mailsTo(email)).toHaveLength(5);
    passTime(hourMs);
    expect((await forgot(email)).status).toBe(200);
  });
});
