import { describe, expect, it, vi } from 'vitest';
import { now, secondMs, setClock } from '#lib/platform/clock.ts';
import { createLiveTicket } from '#schemas/live.ts';
import { newKey } from '#scripts/fixtures/world.ts';
import { newAccount, newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { newTicket, openConnection, shakeHands } from '#tests/support/live.ts';
import { ask } from '#tests/support/registry/ask.ts';
import { newWorld } from '#tests/support/registry/world.ts';
import { storedItems } from '#tests/support/table.ts';

describe('a live ticket', () => {
  it('is created for a VIEWER and an API key, and lasts for 60 seconds', async () => {
    const world = await newWorld();
    const { key } = await newKey(world, 'VIEWER');
    for (const token of [world.people.VIEWER.token, key]) {
      const { status, body } = await ask(world, createLiveTicket, { token });

      expect(status).toBe(201);
      expect(body.url).toBe(process.env.WEBSOCKET_URL);
      const leftMs = Date.parse(body.expiresAt) - now();
      expect(leftMs).toBeGreaterThan(58 * secondMs);
      expect(leftMs).toBeLessThanOrEqual(60 * secondMs);
      expect(await shakeHands(body.ticket)).toBe(200);
    }
  });

  it('is stored as a hash', async () => {
    const secret = (await newTicket(await newAccount())).split('.')[1];

    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(JSON.stringify(await storedItems())).not.toContain(secret);
  });

  it('opens only one connection, even if it is used several times concurrently', async () => {
    const ticket = await newTicket(await newAccount());

    const statuses = await Promise.all(Array.from({ length: 8 }, () => shakeHands(ticket)));

    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 401)]);
    expect(await shakeHands(ticket)).toBe(401);
  });

  it('is rejected once it has expired', async () => {
    const ticket = await newTicket(await newAccount());
    setClock(() => Date.now() + 61 * secondMs);

    expect(await shakeHands(ticket)).toBe(401);
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['of another form', 'x'.repeat(5_000)],
    ['unknown', `0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b.${'x'.repeat(43)}`],
  ])('is rejected if it is %s', async (_case, ticket) => {
    expect(await shakeHands(ticket)).toBe(401);
  });

  it('is rejected for another organization', async () => {
    const secret = (await newTicket(await newAccount())).split('.')[1];
    const { organizationId } = await newAccount();

    expect(await shakeHands(`${organizationId}.${secret}`)).toBe(401);
  });

  it('counts towards the limit of its organization until it is used or expires', async () => {
    vi.stubEnv('QUOTA_LIVE_CONNECTIONS', '2');
    const owner = await newAccount();
    const member = await newMember(owner, 'VIEWER');
    const { organizationId } = owner;
    await newTicket(owner);
    await openConnection({ ...member, organizationId });
    const create = () =>
      call(createLiveTicket, {
        params: { organization_id: organizationId },
        token: member.token,
      });

    const { status, body } = await create();
    expect({ status, quota: body.quota }).toEqual({
      status: 409,
      quota: { name: 'liveConnections', limit: 2 },
    });

    setClock(() => Date.now() + 61 * secondMs);
    expect((await create()).status).toBe(201);
  });

  it('counts towards the limit of its user or API key', async () => {
    vi.stubEnv('QUOTA_LIVE_CONNECTIONS_PER_CALLER', '1');
    const world = await newWorld();
    const { key } = await newKey(world, 'VIEWER');
    await ask(world, createLiveTicket);

    const answers = [
      await ask(world, createLiveTicket),
      await ask(world, createLiveTicket, { token: key }),
      await ask(world, createLiveTicket, { token: world.people.VIEWER.token }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([409, 201, 201]);
    expect(answers[0]?.body).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      quota: { name: 'liveConnectionsPerCaller', limit: 1 },
    });
  });
});
