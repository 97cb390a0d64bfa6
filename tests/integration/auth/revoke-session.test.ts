import { describe, expect, it } from 'vitest';
import { getMe, listSessions, logIn, revokeSession } from '#schemas/auth.ts';
import { newAccount, password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { withoutFaults } from '#tests/support/own-table.ts';

async function sessionIdOf(token: string): Promise<string> {
  const { body } = await call(listSessions, { token });

  return body.sessions.find(({ current }: { current: boolean }) => current).id;
}

const revoke = (token: string, id: string) =>
  call(revokeSession, { token, params: { session_id: id } });

describe('revoking a session', () => {
  it('rejects the token of that session only', async () => {
    const { token, email } = await newAccount();
    const lost = (await call(logIn, { body: { email, password } })).body.authToken;
    const { status, body } = await revoke(token, await sessionIdOf(lost));

    expect([status, body.message]).toEqual([200, 'Session ended successfully']);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call(getMe, { token: lost })),
    );
    expect(answers.filter((answer) => answer.status !== 401)).toEqual([]);
    expect((await call(getMe, { token })).status).toBe(200);
  });

  it("revokes the caller's own session", async () => {
    const { token } = await newAccount();

    expect((await revoke(token, await sessionIdOf(token))).status).toBe(200);
    expect((await call(getMe, { token })).status).toBe(401);
  });
});

describe('unknown sessions', () => {
  it("returns 404 for another user's session, which continues, and for an unknown one", async () => {
    const { token } = await newAccount();
    const victim = await newAccount();
    const foreignId = await sessionIdOf(victim.token);
    // If a removal is repeated after a fault, the service treats it as successful.
    const [foreign, never] = await withoutFaults(async () => [
      await revoke(token, foreignId),
      await revoke(token, '01920000-0000-7000-8000-000000000000'),
    ]);

    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(never.body);
    expect((await call(getMe, { token: victim.token })).status).toBe(200);
  });
});
