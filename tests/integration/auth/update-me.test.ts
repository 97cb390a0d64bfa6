import { beforeAll, describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import {
  forgotPassword,
  getMe,
  logIn,
  requestEmailVerification,
  signUp,
  updateMe,
  verifyEmail,
} from '#schemas/auth.ts';
import {
  freshEmail,
  newAccount,
  newVerifiedAccount,
  password,
  signUpBody,
} from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { atOnce, depth } from '#tests/support/depth.ts';
import { mailsTo, tokenIn } from '#tests/support/mails.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { lastingItems, storedItems } from '#tests/support/table.ts';

beforeAll(liftRateLimits);

describe('updating the current user', () => {
  it('changes only the given fields', async () => {
    const { token, email } = await newAccount();
    const before = (await call(getMe, { token })).body.user;
    const { body } = await call(updateMe, { token, body: { nickname: 'countess' } });

    expect(body.message).toBe('User updated successfully');
    expect(body.user).toMatchObject({ email, firstName: 'Ada', nickname: 'countess' });
    const after = (await call(getMe, { token })).body.user;
    expect(after).toEqual({
      ...before,
      nickname: 'countess',
      updatedAt: expect.stringMatching(/Z$/),
    });
    expect(after.updatedAt > before.updatedAt).toBe(true);
  });

  it('clears the nickname with null', async () => {
    const { token } = await newAccount();
    await call(updateMe, { token, body: { nickname: 'countess' } });

    const { body } = await call(updateMe, { token, body: { nickname: null } });
    expect(body.user.nickname).toBeNull();
  });

  it('returns the unchanged user for an empty body', async () => {
    const { token } = await newAccount();
    const before = (await call(getMe, { token })).body.user;
    const answer = await call(updateMe, { token, body: {} });

    expect(answer.status).toBe(200);
    expect((await call(getMe, { token })).body.user).toEqual(before);
  });

  it('keeps the address when only case or spaces differ', async () => {
    const { token, email } = await newAccount();
    const { body } = await call(updateMe, { token, body: { email: ` ${email.toUpperCase()}` } });

    expect(body.user.email).toBe(email);
    expect(await mailsTo(email)).toEqual([]);
  });

  it('marks a new address as unverified until the mailed link is opened', async () => {
    const { token, email: oldEmail } = await newAccount();
    await call(requestEmailVerification, { token });
    const [oldMail] = await mailsTo(oldEmail);
    await call(verifyEmail, { body: { token: tokenIn(oldMail) } });
    const shown = async () => (await call(getMe, { token })).body.user;
    expect(await shown()).toMatchObject({ email: oldEmail, emailVerified: true });
    const email = freshEmail('new');
    const { body } = await call(updateMe, { token, body: { email, firstName: 'Augusta' } });

    const changed = { email, firstName: 'Augusta', emailVerified: false };
    expect(body.user).toMatchObject(changed);
    expect(await shown()).toMatchObject(changed);
    const mails = await mailsTo(email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(`${process.env.APP_URL}/email/verify?token=`);
    const told = (await mailsTo(oldEmail)).filter(({ text }) => text?.includes(email));
    expect(told).toMatchObject([{ subject: 'Your email address was changed' }]);
    await call(verifyEmail, { body: { token: tokenIn(mails[0]) } });
    expect(await shown()).toMatchObject({ email, emailVerified: true });
  });

  it('makes the new address sign in and the old one fail', async () => {
    const { token, email: oldEmail } = await newAccount();
    const email = freshEmail('new');
    await call(updateMe, { token, body: { email } });

    expect((await call(logIn, { body: { email, password } })).status).toBe(200);
    expect((await call(logIn, { body: { email: oldEmail, password } })).status).toBe(401);
  });

  it('works while the mail is still queued', async () => {
    const { token, organizationId } = await newAccount();
    const email = freshEmail('new');
    await call(updateMe, { token, body: { email } });

    const { body } = await call(getMe, { token });
    expect(body.user).toMatchObject({ email, currentOrganization: { id: organizationId } });
    expect(body.user.organizations).toHaveLength(1);
  });

  it('mails a link to the old address if it was verified', async () => {
    const { token, email: oldEmail } = await newVerifiedAccount();
    await call(updateMe, { token, body: { email: freshEmail('new') } });
    const mails = await mailsTo(oldEmail);

    expect(mails).toMatchObject([{ subject: 'Your email address was changed' }]);
    expect(mails[0]?.text).toContain(`${process.env.APP_URL}/email/revert?token=`);
  });

  it('reserves a verified old address for seven days, and responds as if nobody had it', async () => {
    const { token, email: oldEmail } = await newVerifiedAccount();
    const stranger = await newAccount();
    const beganAt = Date.now();
    await call(updateMe, { token, body: { email: freshEmail('new') } });
    const signUpAgain = () => call(signUp, { body: signUpBody({ email: oldEmail }) });

    const taken = await signUpAgain();
    expect([taken.status, taken.body.message]).toEqual([
      409,
      'User with this email already exists',
    ]);
    const change = await call(updateMe, { token: stranger.token, body: { email: oldEmail } });
    expect(change.status).toBe(409);
    const mailsBefore = (await mailsTo(oldEmail)).length;
    const forgot = await call(forgotPassword, { body: { email: oldEmail } });
    expect(forgot.status).toBe(200);
    expect(await mailsTo(oldEmail)).toHaveLength(mailsBefore);
    expect((await call(logIn, { body: { email: oldEmail, password } })).status).toBe(401);
    setClock(() => beganAt + 7 * dayMs + minuteMs);
    expect((await signUpAgain()).status).toBe(201);
    setClock();
  });

  it('frees an unverified old address immediately, so that nobody can block it that way', async () => {
    const attacker = await newVerifiedAccount();
    const victims = freshEmail('victim');
    await call(updateMe, { token: attacker.token, body: { email: victims } });
    await call(updateMe, { token: attacker.token, body: { email: freshEmail('next') } });

    expect((await call(signUp, { body: signUpBody({ email: victims }) })).status).toBe(201);
  });

  it('allows the user to restore the old address', async () => {
    const { token, email: oldEmail } = await newVerifiedAccount();
    await call(updateMe, { token, body: { email: freshEmail('new') } });
    const { status, body } = await call(updateMe, { token, body: { email: oldEmail } });

    expect([status, body.user.email]).toEqual([200, oldEmail]);
    expect((await call(logIn, { body: { email: oldEmail, password } })).status).toBe(200);
  });

  it('never stores or queues the verification token in plaintext', async () => {
    const { token } = await newAccount();
    const email = freshEmail('new');
    await call(updateMe, { token, body: { email } });
    const stored = JSON.stringify(await lastingItems());
    const [mail] = await mailsTo(email);

    expect(stored).not.toContain(tokenIn(mail));
  });

  it('keeps all of 100 concurrent changes to different fields', async () => {
    const { token } = await newAccount();
    const fields = ['firstName', 'lastName', 'nickname'];
    const answers = await Promise.all(
      Array.from({ length: 99 }, (_, index) => {
        const field = fields[index % 3] ?? '';

        return call(updateMe, { token, body: { [field]: `new ${field}` } });
      }),
    );

    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect((await call(getMe, { token })).body.user).toMatchObject({
      firstName: 'new firstName',
      lastName: 'new lastName',
      nickname: 'new nickname',
    });
  });
});

describe('the current password', () => {
  const wrong = { status: 401, body: { message: 'Current password is incorrect' } };
  const currentPassword = 'wrong horse battery';

  it('is optional, and checked with any change if it is given', async () => {
    const { token, email } = await newVerifiedAccount();
    const change = (body: object) => call(updateMe, { token, body });
    const before = (await call(getMe, { token })).body.user;

    expect(await change({ email: freshEmail(), currentPassword })).toMatchObject(wrong);
    expect(await change({ email, currentPassword })).toMatchObject(wrong);
    expect(await change({ firstName: 'Augusta', currentPassword })).toMatchObject(wrong);
    expect(await change({ currentPassword })).toMatchObject(wrong);
    expect((await call(getMe, { token })).body.user).toEqual(before);
    expect(await mailsTo(email)).toEqual([]);
    const right = await change({ email: freshEmail(), currentPassword: password });
    expect(right.status).toBe(200);
  });

  it('cannot be guessed with a stolen session', async () => {
    const { token } = await newAccount();
    const guess = (given: string) => call(updateMe, { token, body: { currentPassword: given } });
    process.env.PASSWORD_CHANGE_LIMIT_PER_USER = '5';
    for (let tries = 1; tries <= 5; tries += 1) {
      expect(await guess(currentPassword)).toMatchObject(wrong);
    }

    expect((await guess(password)).status).toBe(429);
    liftRateLimits();
  });
});

describe('conflicts and limits', () => {
  it("returns 409 for another user's address and changes nothing", async () => {
    const other = await newAccount();
    const { token } = await newAccount();
    const before = (await call(getMe, { token })).body.user;
    const body = { email: other.email.toUpperCase(), firstName: 'Mallory' };
    const answer = await call(updateMe, { token, body });

    expect(answer.status).toBe(409);
    expect(answer.body.message).toBe('User with this email already exists');
    expect((await call(getMe, { token })).body.user).toEqual(before);
    expect(await mailsTo(other.email)).toEqual([]);
  });

  it('returns 429 when too many new addresses are set, sends no more mail, and changes other fields', async () => {
    const [{ token }, { email: taken }] = [await newAccount(), await newAccount()];
    const change = (body: object) => call(updateMe, { token, body });
    const addresses = [freshEmail('one'), freshEmail('two'), taken, freshEmail('three')];
    process.env.EMAIL_CHANGE_LIMIT_PER_USER = '3';
    const beganAt = Math.ceil(Date.now() / hourMs) * hourMs;
    setClock(() => beganAt);

    const answers = [];
    for (const email of addresses) {
      answers.push(await change({ email }));
    }
    const names = await change({ firstName: 'Augusta', email: addresses[1] });
    liftRateLimits();
    setClock();

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 409, 429]);
    expect(answers[0]?.headers.ratelimit).toContain('emailChange');
    expect(await mailsTo(addresses[3] ?? '')).toEqual([]);
    expect(names.body.user).toMatchObject({ firstName: 'Augusta', email: addresses[1] });
  });

  it('gives an address to only one of many users who request it concurrently', async () => {
    const many = atOnce(20);
    const users = await Promise.all(Array.from({ length: many }, newVerifiedAccount));
    const email = freshEmail('wanted');
    const answers = await Promise.all(
      users.map(({ token }) => call(updateMe, { token, body: { email } })),
    );

    const winners = users.filter((_, index) => answers[index]?.status === 200);
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(many - 1);
    expect(await mailsTo(email)).toHaveLength(1);
    const [claim] = await storedItems(`EMAIL#${email}`);
    expect(claim?.userId).toBe(winners[0]?.userId);
    const claims = await Promise.all(users.map((user) => storedItems(`EMAIL#${user.email}`)));
    const reserved = claims.flat().filter((item) => item.reservedFor !== undefined);
    expect(reserved.map((item) => item.reservedFor)).toEqual([winners[0]?.userId]);
  });

  it('accepts only one of two concurrent changes of the same address and leaves no extra claim', async () => {
    const { token, email, userId } = await newAccount();
    const wanted = [freshEmail('one'), freshEmail('two')];
    await Promise.all(wanted.map((to) => call(updateMe, { token, body: { email: to } })));

    const { body } = await call(getMe, { token });
    const claims = (await storedItems('EMAIL#')).filter((item) => item.userId === userId);
    expect(claims.map(({ pk }) => pk)).toEqual([`EMAIL#${body.user.email}`]);
    expect([...wanted, email]).toContain(body.user.email);
  });

  it('never gives two users the same address when they swap theirs concurrently', async () => {
    const users = [await newAccount(), await newAccount()];
    const wanted = [...users.map(({ email }) => email), freshEmail('third')];
    for (let round = 0; round < depth(2); round += 1) {
      const answers = await Promise.all(
        users.flatMap(({ token }) =>
          wanted.map((email) => call(updateMe, { token, body: { email } })),
        ),
      );
      expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);

      const owners = await Promise.all(
        users.map(async ({ token, userId }) => {
          const { body } = await call(getMe, { token });

          return [body.user.email, userId] as const;
        }),
      );
      const claims = await Promise.all(wanted.map((email) => storedItems(`EMAIL#${email}`)));
      const claimed = claims
        .flat()
        .filter(({ userId }) => userId !== undefined)
        .map(({ pk, userId }) => [pk.replace('EMAIL#', ''), userId]);
      expect(claimed.sort()).toEqual(owners.toSorted());
    }
  });
});
