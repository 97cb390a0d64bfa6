import { beforeEach, describe, expect, it } from 'vitest';
import { removeAssignments } from '#lib/features/conversations/assignments.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { newId } from '#lib/platform/ids.ts';
import { assignConversation, getConversation } from '#schemas/conversations.ts';
import { listLeads } from '#schemas/leads.ts';
import {
  leaveOrganization,
  removeMember,
  updateMemberRole,
  updateNotificationSettings,
} from '#schemas/organizations.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { seat } from '#scripts/fixtures/seat.ts';
import { type Account, newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { deathsOf, untilDeath } from '#tests/support/deaths.ts';
import { mailsTo } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';
import { receivedEvents } from '#tests/support/received-events.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { type ConversationSetup, conversationSetup } from './setup.ts';

let world: ConversationSetup;
let member: Account;

beforeEach(async () => {
  world = await conversationSetup();
  member = await newMember(world.owner, 'MEMBER');
});

const organizationId = () => world.owner.organizationId;

async function assign(id: string, userId: unknown, { token } = world.owner) {
  const params = { conversation_id: id };

  return world.ask(assignConversation, { params, body: { userId }, token });
}

async function assigneeOf(id: string): Promise<string | null> {
  const { body } = await world.ask(getConversation, { params: { conversation_id: id } });

  return body.conversation.assignedToId;
}

async function assignedMails({ email }: Account) {
  const mails = await mailsTo(email);

  return mails.filter(({ subject }) => subject.endsWith('is yours'));
}

/** Stores conversations that are assigned to the member. */
async function assigned(count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const { id } = await storeConversation(organizationId());
    expect((await assign(id, member.userId)).status).toBe(200);
    ids.push(id);
  }

  return ids;
}

async function remainingAssignments() {
  return storedItems(`ORG#${organizationId()}#ASSIGNMENTS`);
}

describe('POST /ai/conversations/{organization_id}/{conversation_id}/assign', () => {
  it('emails the assignee once with a link, and sends the event', async () => {
    const { receiver } = await storeWebhook(organizationId());
    const { id } = await storeConversation(organizationId());
    for (let time = 0; time < 2; time += 1) {
      const { body } = await assign(id, member.userId);
      expect(body.conversation).toMatchObject({ id, assignedToId: member.userId });
    }

    const [mail, ...others] = await assignedMails(member);
    expect(others).toEqual([]);
    for (const text of [mail?.text, mail?.html]) {
      expect(text).toContain(`/conversations/${id}`);
      expect(text).toContain('Charles Babbage');
    }
    const events = await receivedEvents(receiver);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      [
        'conversation.assigned',
        expect.objectContaining({
          organizationId: organizationId(),
          conversationId: id,
          assignedToId: member.userId,
          conversation: expect.objectContaining({ id, assignedToId: member.userId }),
        }),
      ],
    ]);
  });

  it('sends no mail to members who assigned the conversation to themselves or turned off the mail', async () => {
    const { id } = await storeConversation(organizationId());
    await assign(id, member.userId, member);
    await call(updateNotificationSettings, {
      params: { organization_id: organizationId() },
      token: member.token,
      body: { assigned: 'OFF' },
    });
    await assign(id, null);
    await assign(id, member.userId);

    expect(await assignedMails(member)).toEqual([]);
  });

  it('removes the assignment if userId is null, and requires userId', async () => {
    const [id = ''] = await assigned(1);
    expect((await assign(id, undefined)).status).toBe(400);
    expect(await assigneeOf(id)).toBe(member.userId);

    expect((await assign(id, null)).body.conversation.assignedToId).toBeNull();
    expect(await remainingAssignments()).toEqual([]);
  });

  it('moves the conversation to the new assignee', async () => {
    const [id = ''] = await assigned(1);
    const other = await newMember(world.owner, 'ADMIN');
    await assign(id, other.userId);

    expect(await assigneeOf(id)).toBe(other.userId);
    expect(await remainingAssignments()).toMatchObject([{ sk: `${other.userId}#${id}` }]);
  });

  it('returns 400 for viewers and strangers', async () => {
    const viewer = await newMember(world.owner, 'VIEWER');
    const { id } = await storeConversation(organizationId());
    const { owner: stranger } = await conversationSetup();

    for (const userId of [viewer.userId, stranger.userId, newId()]) {
      const { status, body } = await assign(id, userId);
      expect([status, body.message]).toEqual([
        400,
        ['userId must be a member of the organization who is not a VIEWER'],
      ]);
    }
    expect(await assigneeOf(id)).toBeNull();
  });

  it('keeps conversations out of the leads of the assignee', async () => {
    await assigned(1);
    const query = { assignedToId: member.userId };

    expect((await world.ask(listLeads, { query })).body.leads).toEqual([]);
  });
});

describe('the conversations of a member', () => {
  const ofMember = () => ({ organization_id: organizationId(), user_id: member.userId });
  const demote = () =>
    world.ask(updateMemberRole, { params: ofMember(), body: { role: 'VIEWER' } });

  const endings = [
    ['leaves', () => world.ask(leaveOrganization, { token: member.token })],
    ['is removed', () => world.ask(removeMember, { params: ofMember() })],
    ['becomes a viewer', demote],
  ] as const;

  it.each(endings)('lose their assignee when the member %s', async (_, end) => {
    const ids = await assigned(2);
    expect((await end()).status).toBe(200);
    await drainWork('assignment-removal');

    expect(await Promise.all(ids.map(assigneeOf))).toEqual([null, null]);
    expect(await remainingAssignments()).toEqual([]);
  });

  it.each(endings)('do not get an assignee who %s concurrently', async (_, end) => {
    const { id } = await storeConversation(organizationId());
    const { answer, other } = await overtake({ begin: () => assign(id, member.userId) }, end);

    expect([answer.status, other.status]).toEqual([400, 200]);
    expect(await assigneeOf(id)).toBeNull();
  });

  it('keep their assignee when the role changes to a role other than VIEWER', async () => {
    const [id = ''] = await assigned(1);
    await world.ask(updateMemberRole, { params: ofMember(), body: { role: 'ADMIN' } });
    await drainWork('assignment-removal');

    expect(await assigneeOf(id)).toBe(member.userId);
  });

  it('keep an assignment that was made after the member came back', async () => {
    const [early = ''] = await assigned(1);
    const payload = {
      organizationId: organizationId(),
      userId: member.userId,
      endedAt: timestamp(),
    };
    await demote();
    await seat(organizationId(), member.userId, 'MEMBER');
    const [late = ''] = await assigned(1);
    const outcome = await removeAssignments({
      key: { pk: '', sk: '' },
      payload,
      remainingMs: () => 60_000,
    });

    expect(outcome).toBe('done');
    expect(await Promise.all([early, late].map(assigneeOf))).toEqual([null, member.userId]);
  });

  it.each(deathsOf(2))(
    'lose all assignments even if the worker crashes $when write $nth',
    async (death) => {
      const ids = await assigned(2);
      const payload = {
        organizationId: organizationId(),
        userId: member.userId,
        endedAt: timestamp(60_000),
      };
      const run = () =>
        removeAssignments({ key: { pk: '', sk: '' }, payload, remainingMs: () => 60_000 });
      await world.ask(removeMember, { params: ofMember() });
      await untilDeath(death, run);
      await run();

      expect(await Promise.all(ids.map(assigneeOf))).toEqual([null, null]);
      expect(await remainingAssignments()).toEqual([]);
    },
  );
});
