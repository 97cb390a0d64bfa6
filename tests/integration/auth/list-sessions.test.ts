import { expect, it } from 'vitest';
import { dayMs, minuteMs } from '#lib/platform/clock.ts';
import { getMe, listSessions, logIn } from '#schemas/auth.ts';
import { newAccount, password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { passTime, stopClock } from '#tests/support/time.ts';

it("listSessions returns only the caller's sessions, newest first, and marks the current one", async () => {
  await newAccount();
  const { token, email } = await newAccount();
  const ip = '203.0.113.9';
  const headers = { 'user-agent': 'engine/2.0' };
  const other = await call(logIn, { body: { email, password }, ip, headers });
  const { body } = await call(listSessions, { token });

  expect(body.total).toBe(2);
  const [newer, older] = body.sessions;
  expect(newer).toMatchObject({ ipAddress: ip, userAgent: 'engine/2.0', current: false });
  expect(older).toMatchObject({ userAgent: 'fixtures', current: true });
  expect(Date.parse(older.expiresAt) - Date.parse(older.createdAt)).toBeGreaterThan(
    7 * dayMs - 2000,
  );
  const seenByOther = await call(listSessions, { token: other.body.authToken });
  expect(seenByOther.body.sessions.map(({ current }: { current: boolean }) => current)).toEqual([
    true,
    false,
  ]);
});

it('listSessions omits expired sessions whose records still exist', async () => {
  stopClock();
  const { email } = await newAccount();
  passTime(7 * dayMs + minuteMs);
  const signedIn = await call(logIn, { body: { email, password } });

  expect((await call(listSessions, { token: signedIn.body.authToken })).body.total).toBe(1);
});

it('listSessions returns when a session was last active, to within 15 minutes', async () => {
  stopClock();
  const { token } = await newAccount();
  const lastActive = async () => {
    const { body } = await call(listSessions, { token });

    return Date.parse(body.sessions[0].lastActiveAt);
  };
  const first = await lastActive();
  passTime(10 * minuteMs);
  await call(getMe, { token });
  expect(await lastActive()).toBe(first);
  passTime(10 * minuteMs);
  await call(getMe, { token });

  expect(await lastActive()).toBe(first + 20 * minuteMs);
});
