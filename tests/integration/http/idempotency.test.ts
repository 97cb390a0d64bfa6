import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { requireConversation } from '#lib/features/social/conversations/conversations.ts';
import { dayMs, minuteMs, secondMs, setClock } from '#lib/platform/clock.ts';
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
import {
  type DynamoDbProxy,
  startDynamoDbProxy,
} from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import { freshEmail, newAccount, password, signUpBody } from '#tests/support/accounts.ts';
import { call, freshIp } from '#tests/support/api.ts';
import { storeConversation } from '#tests/support/conversations.ts';
import { untilDeath } from '#tests/support/deaths.ts';
import { callInProcess } from '#tests/support/doomed-call.ts';
import { sandbox } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';
import { seat } from '#tests/support/seat.ts';
import { type Item, storedItems, storeItem } from '#tests/support/table.ts';
import { passTime, stopClock } from '#tests/support/time.ts';

let proxy: DynamoDbProxy;

beforeAll(async () => {
  proxy = await startDynamoDbProxy({ target: String(process.env.DYNAMODB_ENDPOINT) });
});
afterAll(() => proxy.close());
afterEach(async () => {
  setClock();
  proxy.faults.clear();
  await sandbox.clearFaults();
});

const headers = { 'idempotency-key': 'one key' };

const create = (token: string, name = 'Second', more: Record<string, string> = headers) =>
  call(createOrganization, { token, body: { name }, headers: more });

async function organizationCount(token: string): Promise<number> {
  return (await call(listOrganizations, { token })).body.total;
}

describe('a POST with an Idempotency-Key', () => {
  it('is done once and answered the same, byte for byte, when it is sent again', async () => {
    const { token } = await newAccount();
    const first = await create(token);
    const second = await create(token);

    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.status).toBe(201);
    expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body));
    expect(await organizationCount(token)).toBe(2);
  });

  it('is done once of 100 at once', async () => {
    const { token } = await newAccount();
    const answers = await Promise.all(Array.from({ length: 100 }, () => create(token)));

    const done = answers.filter(
      (answer) => answer.status === 201 && !answer.headers['idempotent-replayed'],
    );
    expect(done).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(await organizationCount(token)).toBe(2);
  });

  it('is refused with 422 where the key came with another body', async () => {
    const { token } = await newAccount();
    await create(token);
    const answer = await create(token, 'Third');

    expect(answer.status).toBe(422);
    expect(await organizationCount(token)).toBe(2);
  });

  it('gets the first refusal again as well, though it would be let through now', async () => {
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

  it("is another's where another caller sends it", async () => {
    const one = await newAccount();
    const other = await newAccount();
    const answers = [await create(one.token), await create(other.token)];

    expect(answers[0]?.body.organization.id).not.toBe(answers[1]?.body.organization.id);
    expect(answers[1]?.headers['idempotent-replayed']).toBeUndefined();
  });

  it("is another's in a public call from another IP, or about another address", async () => {
    const [ip, body] = [freshIp(), signUpBody()];
    const first = await call(signUp, { body, ip, headers });
    const elsewhere = await call(signUp, { body, ip: freshIp(), headers });
    const another = await call(signUp, { body: signUpBody(), ip, headers });

    expect(first.status).toBe(201);
    // Not the first answer, which has a token in it.
    expect([elsewhere.status, elsewhere.body.authToken]).toEqual([409, undefined]);
    expect(another.status).toBe(201);
    expect(another.headers['idempotent-replayed']).toBeUndefined();
    expect(another.body.user.id).not.toBe(first.body.user.id);
  });

  it('is another one at another path', async () => {
    const { token } = await newAccount();
    await create(token);
    const answer = await call(requestEmailVerification, { token, headers, body: {} });

    expect(answer.status).toBe(200);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });

  it('may be done again after 24 hours, though the record is still stored', async () => {
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

  it.each(['', 'k'.repeat(256)])('is refused with a key of a wrong length', async (key) => {
    const { token } = await newAccount();
    const answer = await create(token, 'Second', { 'idempotency-key': key });

    expect(answer.status).toBe(400);
    expect(answer.body.message[0]).toMatch(/^Idempotency-Key /);
  });

  it('takes a key of 255 characters', async () => {
    const { token } = await newAccount();

    expect((await create(token, 'Second', { 'idempotency-key': 'k'.repeat(255) })).status).toBe(
      201,
    );
  });
});

describe('a POST that was refused for the moment', () => {
  const wanted = 'a new battery staple';
  const change = (token: string, currentPassword: string, newPassword: string, more = headers) =>
    call(changePassword, { token, body: { currentPassword, newPassword }, headers: more });
  const changeOnce = (token: string, currentPassword: string, newPassword: string) =>
    call(changePassword, { token, body: { currentPassword, newPassword } });

  it('is done when it is sent again after a 502', async () => {
    const { token } = await newAccount();
    await sandbox.addFault({ service: 'stripe', mode: 'error', status: 401 });
    expect((await call(createSetupIntent, { token, headers })).status).toBe(502);
    await sandbox.clearFaults();
    const answer = await call(createSetupIntent, { token, headers });

    expect(answer.status).toBe(200);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });

  it('is done when it is sent again after a 401', async () => {
    const { token } = await newAccount();
    expect((await change(token, wanted, 'a third battery staple')).status).toBe(401);
    await changeOnce(token, password, wanted);
    const answer = await change(token, wanted, 'a third battery staple');

    expect(answer.status).toBe(200);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });

  it('is done when it is sent again after a 429', async () => {
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

describe('a POST that was refused before its key was looked at', () => {
  it('uses up no key by a body that is not as it must be', async () => {
    const { token } = await newAccount();
    expect((await create(token, '')).status).toBe(400);
    const answer = await create(token);

    expect(answer.status).toBe(201);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });

  it('uses up no key while its caller may not do it', async () => {
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

describe('a POST that was done, and whose answer cannot be kept', () => {
  it('is answered, and not done again', async () => {
    const { token } = await newAccount();
    const fault = { kind: 'refuse', when: 'before', error: 'AccessDeniedException' } as const;
    // The first one claims the key.
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

/** As if those who have claimed a key and said nothing yet could not be running any more. */
async function setClaimsFree(): Promise<void> {
  for (const claim of (await storedItems('IDEMPOTENCY#')).filter(isUnanswered)) {
    await storeItem({ ...claim, leaseUntilSeconds: 0 });
  }
}

describe('a call that died with its claim', () => {
  /** What the process leaves that did it all, and was killed before its answer was kept. */
  async function claimLeftBehind() {
    stopClock();
    const { token } = await newAccount();
    const { result: first } = await untilDeath({ at: 'its answer' }, () => create(token));

    return { token, first };
  }

  it('holds the key while it could still be running, and is then told what it has done', async () => {
    const { token, first } = await claimLeftBehind();
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
    // What it came to may be a secret, and is kept no longer than it is needed.
    const claims = await storedItems('IDEMPOTENCY#');
    expect(claims.filter(({ answer, result }) => answer && result)).toEqual([]);
    expect((await create(token)).headers['idempotent-replayed']).toBe('true');
  });

  it('does not set the key free for another body', async () => {
    const { token } = await claimLeftBehind();
    passTime(60 * secondMs);

    expect((await create(token, 'Third')).status).toBe(422);
  });

  it('is not done again where somebody has undone it since', async () => {
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

  it('collects a card for whoever is the customer when it is sent again', async () => {
    const { token } = await newAccount();
    const collect = () => call(createSetupIntent, { token, headers });
    const { setFree } = await untilDeath({ at: 'its answer' }, collect);
    await setFree();
    const { id: organizationId } = (await create(token)).body.organization;
    await call(switchOrganization, { token, body: { organizationId } });

    expect((await collect()).status).toBe(200);
  });

  it('does nothing any more when its repetition was faster', async () => {
    const { token } = await newAccount();
    const request = { token, body: { name: 'Second' }, headers };
    const { answer, other } = await overtake(
      proxy,
      { begin: () => callInProcess(createOrganization, request, proxy.endpoint) },
      async () => {
        await setClaimsFree();

        return create(token);
      },
    );

    expect(other.status).toBe(201);
    expect(answer?.statusCode).toBe(503);
    expect(await organizationCount(token)).toBe(2);
  });

  it('leaves its repetition the answer, where it is refused for what that has done', async () => {
    const request = { ip: '2001:db8::7', body: signUpBody(), headers };
    const { answer, other } = await overtake(
      proxy,
      { begin: () => callInProcess(signUp, request, proxy.endpoint), operation: 'GetItem' },
      async () => {
        await setClaimsFree();

        return call(signUp, request);
      },
    );

    expect(answer?.statusCode).toBe(409);
    expect(other.status).toBe(201);
    const again = await call(signUp, request);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(again.body).toEqual(other.body);
  });
});
