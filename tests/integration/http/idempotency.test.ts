import { describe, expect, it } from 'vitest';
import { requireConversation } from '#lib/features/conversations/conversations.ts';
import { dayMs, minuteMs, secondMs } from '#lib/platform/clock.ts';
import {
  changePassword,
  createSetupIntent,
  requestEmailVerification,
  signUp,
  switchOrganization,
} from '#schemas/auth.ts';
import { defaultTimeoutSeconds } from '#schemas/contract.ts';
import { pauseConversation, resumeConversation } from '#schemas/conversations.ts';
import { createOrganization, inviteMember, listOrganizations } from '#schemas/organizations.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { seat } from '#scripts/fixtures/seat.ts';
import { freshEmail, newAccount, password, signUpBody } from '#tests/support/accounts.ts';
import { call, freshIp } from '#tests/support/api.ts';
import { untilDeath } from '#tests/support/deaths.ts';
import { atOnce } from '#tests/support/depth.ts';
import { callInProcess } from '#tests/support/doomed-call.ts';
import { sandbox } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';
import { useProxy } from '#tests/support/proxy.ts';
import { type Item, storedItems, storeItem } from '#tests/support/table.ts';
import { passTime, stopClock } from '#tests/support/time.ts';

const proxy = await useProxy();

const headers = { 'idempotency-key': 'one key' };

const create = (token: string, name = 'Second', more: Record<string, string> = headers) =>
  call(createOrganization, { token, body: { name }, headers: more });

async function organizationCount(token: string): Promise<number> {
  return (await call(listOrganizations, { token })).body.total;
}

describe('a POST with an Idempotency-Key', () => {
  it('is executed once for many concurrent requests', async () => {
    const { token } = await newAccount();
    const answers = await Promise.all(Array.from({ length: atOnce(20) }, () => create(token)));

    const done = answers.filter(
      (answer) => answer.status === 201 && !answer.headers['idempotent-replayed'],
    );
    expect(done).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(await organizationCount(token)).toBe(2);
  });

  it('replays an error response too, even if the request would now succeed', async () => {
    const [owner, guest] = [await newAccount(), await newAccount()];
    const { token } = guest;
    const body = { organizationId: owner.organizationId };
    const move = (key: string) =>
      call(switchOrganization, { token, body, headers: { 'idempotency-key': key } });
    const first = await move('one key');
    await seat(owner.organizationId, guest.userId, 'MEMBER');
    const second = await move('one key');

    expect([first.status, second.status]).toEqual([404, 404]);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body));
    expect((await move('another key')).status).toBe(200);
  });

  it('is scoped to the caller', async () => {
    const one = await newAccount();
    const other = await newAccount();
    const answers = [await create(one.token), await create(other.token)];

    expect(answers[0]?.body.organization.id).not.toBe(answers[1]?.body.organization.id);
    expect(answers[1]?.headers['idempotent-replayed']).toBeUndefined();
  });

  it('is scoped to the IP and the address in a public operation', async () => {
    const [ip, body] = [freshIp(), signUpBody()];
    const first = await call(signUp, { body, ip, headers });
    const elsewhere = await call(signUp, { body, ip: freshIp(), headers });
    const another = await call(signUp, { body: signUpBody(), ip, headers });

    expect(first.status).toBe(201);
    // It is not the first response, which contains a token.
    expect([elsewhere.status, elsewhere.body.authToken]).toEqual([409, undefined]);
    expect(another.status).toBe(201);
    expect(another.headers['idempotent-replayed']).toBeUndefined();
    expect(another.body.user.id).not.toBe(first.body.user.id);
  });

  it('is scoped to the path', async () => {
    const { token } = await newAccount();
    await create(token);
    const answer = await call(requestEmailVerification, { token, headers, body: {} });

    expect(answer.status).toBe(200);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });

  it('may be executed again after 24 hours, even while its record still exists', async () => {
    stopClock();
    const { token } = await newAccount();
    const first = await create(token);
    passTime(dayMs - secondMs);
    expect((await create(token)).body).toEqual(first.body);
    passTime(secondMs);
    const later = await create(token);

    expect(later.status).toBe(201);
    expect(later.body.organization.id).not.toBe(first.body.organization.id);
  });

  it.each(['', 'k'.repeat(256)])('rejects a key of invalid length', async (key) => {
    const { token } = await newAccount();
    const answer = await create(token, 'Second', { 'idempotency-key': key });

    expect(answer.status).toBe(400);
    expect(answer.body.message[0]).toMatch(/^Idempotency-Key /);
  });
});

describe('a POST that failed temporarily', () => {
  const wanted = 'a new battery staple';
  const change = (token: string, currentPassword: string, newPassword: string, more = headers) =>
    call(changePassword, { token, body: { currentPassword, newPassword }, headers: more });
  const changeOnce = (token: string, currentPassword: string, newPassword: string) =>
    call(changePassword, { token, body: { currentPassword, newPassword } });

  it('is executed on retry after a 502', async () => {
    const { token } = await newAccount();
    await sandbox.addFault({ service: 'stripe', mode: 'error', status: 401 });
    expect((await call(createSetupIntent, { token, headers })).status).toBe(502);
    await sandbox.clearFaults();
    const answer = await call(createSetupIntent, { token, headers });

    expect(answer.status).toBe(200);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });

  it('is executed on retry after a 401', async () => {
    const { token } = await newAccount();
    expect((await change(token, wanted, 'a third battery staple')).status).toBe(401);
    await changeOnce(token, password, wanted);
    const answer = await change(token, wanted, 'a third battery staple');

    expect(answer.status).toBe(200);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });

  it('is executed on retry after a 429', async () => {
    stopClock();
    const { token } = await newAccount();
    for (let failed = 1; failed <= 5; failed += 1) {
      expect((await changeOnce(token, 'wrong', wanted)).status).toBe(401);
    }
    expect((await change(token, password, wanted)).status).toBe(429);
    passTime(15 * minuteMs);
    const answer = await change(token, password, wanted);

    expect(answer.status).toBe(200);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });
});

describe('a POST rejected before its key is checked', () => {
  it('does not use up the key when the body is invalid', async () => {
    const { token } = await newAccount();
    expect((await create(token, '')).status).toBe(400);
    const answer = await create(token);

    expect(answer.status).toBe(201);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });

  it('does not use up the key when the caller lacks permission', async () => {
    const [owner, guest] = [await newAccount(), await newAccount()];
    const request = {
      params: { organization_id: owner.organizationId },
      body: { email: freshEmail('invited'), role: 'VIEWER' },
      token: guest.token,
      headers,
    };
    expect((await call(inviteMember, request)).status).toBe(404);
    await seat(owner.organizationId, guest.userId, 'ADMIN');
    const answer = await call(inviteMember, request);

    expect(answer.status).toBe(201);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });
});

describe('a POST whose response cannot be stored', () => {
  it('responds and is not executed again', async () => {
    const { token } = await newAccount();
    const fault = { kind: 'refuse', when: 'before', error: 'AccessDeniedException' } as const;
    // The first update claims the key.
    proxy.faults.add({ operation: 'UpdateItem', nth: 2, fault });
    const request = { token, body: { name: 'Second' }, headers };
    const { answer } = await callInProcess(createOrganization, request, proxy.endpoint);

    expect(await answer).toMatchObject({ statusCode: 201 });
    expect(proxy.faults.hits()).toHaveLength(1);
    expect((await create(token)).status).toBe(409);
    expect(await organizationCount(token)).toBe(2);
  });
});

const isUnanswered = ({ answer }: Item): boolean => answer === undefined;

/** Expires the claims of requests that have no response yet. */
async function expireClaims(): Promise<void> {
  for (const claim of (await storedItems('IDEMPOTENCY#')).filter(isUnanswered)) {
    await storeItem({ ...claim, leaseUntilSeconds: 0 });
  }
}

describe('a request that crashed with its claim', () => {
  /**
   * Returns the claim of a process that did all the work but was killed before storing the
   * response.
   */
  async function leaveClaim() {
    stopClock();
    const { token } = await newAccount();
    const { result: first } = await untilDeath({ at: 'its answer' }, () => create(token));

    return { token, first };
  }

  it('holds the key while it could still be running, then replays its result', async () => {
    const { token, first } = await leaveClaim();
    const waiting = await create(token);
    expect(waiting.status).toBe(409);
    expect(waiting.body.message).toBe(
      'A request with this Idempotency-Key is still being processed',
    );
    passTime(defaultTimeoutSeconds * secondMs);
    expect((await create(token)).status).toBe(409);
    passTime(2 * secondMs);
    const again = await create(token);
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first?.body);
    expect(await organizationCount(token)).toBe(2);
    // The result may be a secret, so it is not stored longer than needed.
    const claims = await storedItems('IDEMPOTENCY#');
    expect(claims.filter(({ answer, result }) => answer && result)).toEqual([]);
    expect((await create(token)).headers['idempotent-replayed']).toBe('true');
  });

  it('does not release the key for a different body', async () => {
    const { token } = await leaveClaim();
    passTime(60 * secondMs);

    expect((await create(token, 'Third')).status).toBe(422);
  });

  it('is not executed again if the result was undone since', async () => {
    const { token, organizationId } = await newAccount();
    const { id } = await storeConversation(organizationId);
    const about = { token, params: { organization_id: organizationId, conversation_id: id } };
    const pause = () => call(pauseConversation, { ...about, headers });
    const { setFree } = await untilDeath({ at: 'its answer' }, pause);
    await setFree();
    expect((await call(resumeConversation, about)).status).toBe(200);

    expect((await pause()).status).toBe(200);

    expect(await requireConversation(organizationId, id)).toMatchObject({ controller: 'BOT' });
  });

  it('returns a setup intent for the current customer on retry', async () => {
    const { token } = await newAccount();
    const collect = () => call(createSetupIntent, { token, headers });
    const { setFree } = await untilDeath({ at: 'its answer' }, collect);
    await setFree();
    const { id: organizationId } = (await create(token)).body.organization;
    await call(switchOrganization, { token, body: { organizationId } });

    expect((await collect()).status).toBe(200);
  });

  it('does nothing more if its retry was faster', async () => {
    const { token } = await newAccount();
    const request = { token, body: { name: 'Second' }, headers };
    const { answer, other } = await overtake(
      { begin: () => call(createOrganization, request) },
      async () => {
        await expireClaims();

        return create(token);
      },
    );

    expect(other.status).toBe(201);
    expect(answer.status).toBe(503);
    expect(await organizationCount(token)).toBe(2);
  });

  it("leaves the response to its retry if it fails because of the retry's changes", async () => {
    const request = { ip: '2001:db8::7', body: signUpBody(), headers };
    const { answer, other } = await overtake(
      { begin: () => call(signUp, request), operation: 'Get' },
      async () => {
        await expireClaims();

        return call(signUp, request);
      },
    );

    expect(answer.status).toBe(409);
    expect(other.status).toBe(201);
    const again = await call(signUp, request);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(again.body).toEqual(other.body);
  });
});
