import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { minuteMs, secondMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { discard, write } from '#lib/platform/db/write.ts';
import { checkLiveConnections } from '#lib/platform/live/check-connections.ts';
import { listLiveConnections } from '#lib/platform/live/live-connection.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import { revokeApiKey } from '#schemas/api-keys.ts';
import { changePassword, logOut } from '#schemas/auth.ts';
import type { Role } from '#schemas/contract.ts';
import { deleteOrganization, removeMember, updateMemberRole } from '#schemas/organizations.ts';
import { storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { newKey, newSession, type World } from '#scripts/fixtures/world.ts';
import { newAccount, password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { deathsOf, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import {
  endConnection,
  isClosed,
  messagesTo,
  openConnection,
  sendAsClient,
} from '#tests/support/live.ts';
import { sandbox } from '#tests/support/mails.ts';
import { receivedEvents } from '#tests/support/received-events.ts';
import { ask } from '#tests/support/registry/ask.ts';
import { newWorld } from '#tests/support/registry/world.ts';
import { drainWork } from '#tests/support/work.ts';

waitForNobody();

type Event = Parameters<typeof planOrganizationEvent>[1];

const exhausted: Event = { type: 'credits.exhausted', data: { campaignId: null, credits: 0 } };
const hidden = {
  type: 'comment.hidden',
  data: {
    conversationId: '0192f0c3-2b3c-7182-9394-0f1a2b3c4d5e',
    messageId: '0192f0c3-2b40-75c6-97d8-4d5e6f708192',
    socialAccountId: '0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70',
    moderationRule: null,
  },
} satisfies Event;

async function emit(organizationId: string, event: Event = hidden) {
  const writes = await planOrganizationEvent(organizationId, event);
  await write(...writes);

  return writes;
}

const open = ({ organizationId }: World, { token }: { readonly token: string }) =>
  openConnection({ organizationId, token });

async function typesTo(connectionId: string): Promise<readonly string[]> {
  return (await messagesTo(connectionId)).map(({ type }) => type);
}

describe('an event', () => {
  it('is sent to every connection of its organization, and to no other', async () => {
    const world = await newWorld();
    const stranger = await newAccount();
    const connections = [
      await open(world, world.people.OWNER),
      await open(world, world.people.OWNER),
      await open(world, world.people.VIEWER),
    ];
    const strange = await openConnection(stranger);

    await emit(world.organizationId);
    await drainWork();

    for (const connection of connections) {
      expect(await messagesTo(connection)).toEqual([
        {
          type: 'comment.hidden',
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          data: { organizationId: world.organizationId, ...hidden.data },
        },
      ]);
    }
    expect(await messagesTo(strange)).toEqual([]);
  });

  it('about credits is sent only to owners and admins', async () => {
    const world = await newWorld();
    const { people } = world;
    const viewersKey = (await newKey(world, 'VIEWER')).key;
    const adminsKey = (await newKey(world, 'ADMIN')).key;
    const tokens = {
      OWNER: people.OWNER.token,
      ADMIN: people.ADMIN.token,
      MEMBER: people.MEMBER.token,
      VIEWER: people.VIEWER.token,
      viewersKey,
      adminsKey,
    };
    const opened = Object.entries(tokens).map(
      async ([name, token]) => [name, await open(world, { token })] as const,
    );
    const connections = Object.fromEntries(await Promise.all(opened));

    await emit(world.organizationId, exhausted);
    await emit(world.organizationId, hidden);
    await drainWork();

    for (const [name, connection] of Object.entries(connections)) {
      const sees = ['OWNER', 'ADMIN', 'adminsKey'].includes(name);
      expect((await typesTo(connection)).toSorted(), name).toEqual([
        'comment.hidden',
        ...(sees ? ['credits.exhausted'] : []),
      ]);
    }
  });

  it('depends on the current role, and is not sent to a removed member', async () => {
    const world = await newWorld();
    const { ADMIN, MEMBER } = world.people;
    const [lowered, removed] = [await open(world, ADMIN), await open(world, MEMBER)];
    const setRole = (userId: string, role: Role) =>
      ask(world, updateMemberRole, { params: { user_id: userId }, body: { role } });
    expect((await setRole(ADMIN.userId, 'VIEWER')).status).toBe(200);
    await ask(world, removeMember, { params: { user_id: MEMBER.userId } });

    await emit(world.organizationId, exhausted);
    await emit(world.organizationId, hidden);
    await drainWork();

    expect((await typesTo(lowered)).toSorted()).toEqual(['comment.hidden', 'member.removed']);
    expect(await typesTo(removed)).toEqual([]);
  });

  it("is not sent to a removed member's API key before the key is revoked", async () => {
    const world = await newWorld();
    const { key, apiKey } = await newKey(world, 'VIEWER');
    const connection = await open(world, { token: key });
    await write(discard(keys.member(world.organizationId, apiKey.createdById)));
    await emit(world.organizationId);
    await drainWork();

    expect(await typesTo(connection)).toEqual([]);
  });

  it('causes no write before the first connection and after the last one', async () => {
    const owner = await newAccount();
    expect(await emit(owner.organizationId)).toEqual([]);
    const connection = await openConnection(owner);
    expect(await emit(owner.organizationId)).toHaveLength(1);
    await endConnection(connection);

    expect(await checkLiveConnections(owner.organizationId)).toBe('done');

    expect(await emit(owner.organizationId)).toEqual([]);
    await openConnection(owner);
    expect(await emit(owner.organizationId)).toHaveLength(1);
  });

  it('is also sent to the webhooks, once each, even if a connection fails', async () => {
    const owner = await newAccount();
    const { receiver } = await storeWebhook(owner.organizationId);
    const connections = [await openConnection(owner), await openConnection(owner)];
    await sandbox.addFault({ service: 'live', path: String(connections[0]), mode: 'down' });
    await emit(owner.organizationId);
    await drainWork();
    setClock(() => Date.now() + 10 * minuteMs);
    await runDueWork();

    expect(await receivedEvents(receiver)).toHaveLength(1);
    for (const connection of connections) {
      expect(await messagesTo(connection)).toHaveLength(1);
    }
  });

  it('over 128 KB is not sent, but the next one is', async () => {
    const owner = await newAccount();
    const connection = await openConnection(owner);
    const moderationRule = { id: hidden.data.messageId, name: 'x'.repeat(128 * 1_024) };
    const large = { ...hidden, data: { ...hidden.data, moderationRule } };
    await write(...(await planOrganizationEvent(owner.organizationId, large)));
    await drainWork();
    await emit(owner.organizationId);
    await drainWork();

    const [message, ...others] = await messagesTo(connection);
    expect(message).toMatchObject({ data: hidden.data });
    expect(others).toEqual([]);
  });

  it('is sent at most once when the worker crashes at any write', async () => {
    const owner = await newAccount();
    const { receiver } = await storeWebhook(owner.organizationId);
    const connection = await openConnection(owner);
    await drainWork();
    let crashes = 0;
    for (const death of deathsOf(6)) {
      const data = { ...hidden.data, messageId: randomUUID() };
      await emit(owner.organizationId, { ...hidden, data });
      const { hasDied } = await untilDeath(death, () => drainWork('webhook-fan-out'));
      crashes += hasDied ? 1 : 0;
    }
    setClock(() => Date.now() + 10 * minuteMs);
    await runDueWork();
    setClock(() => Date.now() + 20 * minuteMs);
    await runDueWork();

    expect(crashes).toBeGreaterThan(3);
    expect(await receivedEvents(receiver)).toHaveLength(12);
    const sent = (await messagesTo(connection)).map(({ data }) => data.messageId);
    expect(new Set(sent).size).toBe(sent.length);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThanOrEqual(12);
  });
});

describe('a connection', () => {
  it('is removed when it ends, and when the gateway reports it as gone', async () => {
    const owner = await newAccount();
    const { organizationId } = owner;
    const [ended, gone, stays] = [
      await openConnection(owner),
      await openConnection(owner),
      await openConnection(owner),
    ];
    await endConnection(ended);
    await sandbox.endConnection(gone);
    const ids = async () =>
      (await listLiveConnections(organizationId)).map(({ connectionId }) => connectionId);

    await emit(organizationId);
    await drainWork();

    // The handshake may still be in progress.
    expect((await ids()).toSorted()).toEqual([gone, stays].toSorted());
    setClock(() => Date.now() + 31 * secondMs);
    await emit(organizationId);
    await drainWork();
    expect(await ids()).toEqual([stays]);
  });

  it('gets no response to messages from its client, and stays open', async () => {
    const owner = await newAccount();
    const connection = await openConnection(owner);

    expect(await sendAsClient(connection, '{"action":"subscribe"}')).toEqual({ statusCode: 200 });
    expect(await messagesTo(connection)).toEqual([]);
    await emit(owner.organizationId);
    await drainWork();
    expect(await messagesTo(connection)).toHaveLength(1);
  });

  type End = (world: World, token: string) => Promise<unknown>;
  const member = ({ people }: World) => people.MEMBER;
  const ends: Readonly<Record<string, End>> = {
    'a logout': (_, token) => call(logOut, { token }),
    'a change of the password in another session': (world) =>
      call(changePassword, {
        token: member(world).token,
        body: { currentPassword: password, newPassword: 'incorrect horse battery' },
      }),
    'a change of the password in its own session': (_, token) =>
      call(changePassword, {
        token,
        body: { currentPassword: password, newPassword: 'incorrect horse battery' },
      }),
    'the removal of the member': (world) =>
      ask(world, removeMember, { params: { user_id: member(world).userId } }),
    'the deletion of the organization': (world) => ask(world, deleteOrganization),
  };

  it.each(Object.entries(ends))('is closed within a minute after %s', async (_name, end) => {
    const world = await newWorld();
    const { userId } = member(world);
    const { token } = await newSession(userId, world.organizationId);
    const connection = await open(world, { token });
    expect(await checkLiveConnections(world.organizationId)).toEqual({ againInMs: 30_000 });

    await end(world, token);
    await checkLiveConnections(world.organizationId);

    expect(await isClosed(connection)).toBe(true);
    expect(await listLiveConnections(world.organizationId)).toEqual([]);
  });

  it('is closed when its API key is revoked or expires, but other connections are not', async () => {
    const world = await newWorld();
    const expiresAt = new Date(Date.now() + minuteMs).toISOString();
    const keys = [
      await newKey(world, 'VIEWER'),
      await newKey(world, 'VIEWER', { expiresAt }),
      await newKey(world, 'VIEWER'),
    ] as const;
    const [revoked, expired, stays] = await Promise.all(
      keys.map(({ key }) => open(world, { token: key })),
    );
    await ask(world, revokeApiKey, { params: { key_id: keys[0].apiKey.apiKeyId } });
    await checkLiveConnections(world.organizationId);
    expect([await isClosed(String(revoked)), await isClosed(String(expired))]).toEqual([
      true,
      false,
    ]);
    setClock(() => Date.now() + 61 * secondMs);
    await checkLiveConnections(world.organizationId);

    expect(await isClosed(String(expired))).toBe(true);
    expect(await isClosed(String(stays))).toBe(false);
  });

  it('is closed by the next check if the gateway fails', async () => {
    const world = await newWorld();
    const connection = await open(world, member(world));
    await call(logOut, { token: member(world).token });
    await sandbox.addFault({ service: 'live', mode: 'down' });
    expect(await checkLiveConnections(world.organizationId)).toEqual({ againInMs: 30_000 });
    await sandbox.clearFaults();

    await checkLiveConnections(world.organizationId);

    expect(await isClosed(connection)).toBe(true);
    expect(await listLiveConnections(world.organizationId)).toEqual([]);
  });

  it('is checked repeatedly by the worker, without being opened again', async () => {
    const world = await newWorld();
    const connection = await open(world, member(world));
    await drainWork();
    await call(logOut, { token: member(world).token });

    setClock(() => Date.now() + 2 * minuteMs);
    await runDueWork();

    expect(await isClosed(connection)).toBe(true);
  });
});
