import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as retention } from '#functions/jobs/retention.ts';
import { removeOldMessages } from '#lib/features/conversations/messages/remove-old-messages.ts';
import { dayMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { idAt } from '#lib/platform/ids.ts';
import { getLead } from '#schemas/leads.ts';
import { updateOrganization } from '#schemas/organizations.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { type ErasureSetup, erasureSetup } from '#tests/integration/leads/erasure-setup.ts';
import { lambdaContext } from '#tests/support/api.ts';
import { untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { storedItems, storeItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';

waitForNobody();

const retentionDays = 30;
const longAgo = () => new Date(Date.now() - (retentionDays + 1) * dayMs).toISOString();
const longEnough = () => 300_000;

let world: ErasureSetup;

beforeEach(async () => {
  world = await erasureSetup();
});

function keep(days: number | null) {
  return world.ask(updateOrganization, { body: { settings: { retentionDays: days } } });
}

async function runJob() {
  await retention({}, lambdaContext(240_000));
  await drainWork('organization-removal');
}

/** The customer writes before and after the limit, in one conversation with a lead. */
async function write({ isOldOnly = false } = {}) {
  const account = await world.account();
  const keyword = randomUUID();
  await world.campaign(account, {
    keywords: [{ keyword, matchType: 'CONTAINS', priority: 1 }],
  });
  const from = world.customer;
  await world.say(account, {
    type: 'message',
    text: `${keyword} ${world.marker}`,
    from,
    at: longAgo(),
    attachments: [{ kind: 'image' }],
  });
  await drainWork();
  if (!isOldOnly) {
    await world.say(account, { type: 'message', text: 'Recent', from });
    await drainWork();
  }
  const [conversation] = await world.conversations();

  return conversation;
}

async function messagesOf(id: string): Promise<readonly string[]> {
  const items = await storedItems(`ORG#${world.organizationId}#CONVERSATION#${id}`);

  return items.filter(({ sk }) => sk.startsWith('MESSAGE#')).map(({ text }) => String(text));
}

async function counted(id: string) {
  const items = await storedItems(`ORG#${world.organizationId}#CONVERSATION#${id}`);

  return {
    total: items.find(({ sk }) => sk === 'COUNT#MESSAGES')?.total,
    messages: items.filter(({ sk }) => sk.startsWith('MESSAGE#')).length,
  };
}

describe('the removal of old messages', () => {
  it('removes messages older than the setting, and everything that contains a copy of them', async () => {
    const conversation = await write();
    const before = await messagesOf(conversation.id);
    expect(before.some((text) => text.includes(world.marker))).toBe(true);
    expect(await world.storedFiles()).toHaveLength(1);

    expect((await keep(retentionDays)).body.organization.settings.retentionDays).toBe(30);
    await runJob();

    const after = await messagesOf(conversation.id);
    expect(after).toEqual(before.filter((text) => !text.includes(world.marker)));
    expect(after).toContain('Recent');
    expect(await world.storedFiles()).toEqual([]);
    const { total, messages } = await counted(conversation.id);
    expect(total).toBe(messages);
    // The name of the customer is kept.
    const found = await world.finds();
    expect(
      found.items.filter((kind) => !/CLAIM|CONTACT|CONVERSATION|CUSTOMER_OF|DELIVER/.test(kind)),
    ).toEqual([]);
    const { lead } = (await world.ask(getLead, { params: { lead_id: conversation.leadId } })).body;
    const received = lead.activities.filter(({ type }: { type: string }) =>
      type.startsWith('MESSAGE_RECEIVED'),
    );
    expect(
      received.map(({ description }: { description: string }) => description).toSorted(),
    ).toEqual(['', 'Recent']);
  });

  it('shows no last message if it was old, but keeps the conversation and lead', async () => {
    const { id } = await write({ isOldOnly: true });
    await keep(retentionDays);
    setClock(() => Date.now() + (retentionDays + 1) * dayMs);
    await runJob();
    setClock();

    const [conversation] = await world.conversations();
    expect(conversation).toMatchObject({
      id,
      lastMessage: null,
      lastMessageAt: null,
      unreadCount: 0,
      waitingSince: null,
    });
    expect(await world.leads()).toHaveLength(1);
    expect(await messagesOf(id)).toEqual([]);
  });

  it('runs daily while it is on, and never while it is off', async () => {
    const { id } = await write();
    const all = await messagesOf(id);
    await runJob();
    expect(await messagesOf(id)).toEqual(all);

    await keep(retentionDays);
    await keep(null);
    await runJob();
    expect(await messagesOf(id)).toEqual(all);

    await keep(retentionDays + 2);
    await runJob();
    setClock(() => Date.now() + dayMs / 2);
    await runJob();
    expect(await messagesOf(id)).toEqual(all);
    setClock(() => Date.now() + dayMs);
    await runJob();
    expect(await messagesOf(id)).not.toEqual(all);
  });

  it('finishes after a crash after any write', async () => {
    await keep(retentionDays);
    let nth = 1;
    for (let hasDied = true; hasDied; nth += 1) {
      const { id } = await write({ isOldOnly: true });
      const run = () => removeOldMessages(world.organizationId, longEnough);
      ({ hasDied } = await untilDeath({ at: 'a write', nth, when: 'after' }, run));
      await run();

      expect((await messagesOf(id)).join()).not.toContain(world.marker);
      const { total, messages } = await counted(id);
      expect(total).toBe(messages);
      world.customer.id = `${world.marker}-${nth}`;
    }

    expect(nth).toBeGreaterThan(4);
  });

  it('removes many messages of many conversations', async () => {
    const { organizationId } = world;
    const perConversation = 50;
    const conversations = await Promise.all(
      Array.from({ length: depth(10, 200) }, () => storeConversation(organizationId)),
    );
    const createdAt = longAgo();
    for (const { id: conversationId, socialAccountId: accountId } of conversations) {
      const ids = Array.from({ length: perConversation }, () => idAt(Date.parse(createdAt)));
      await storeItems([
        ...ids.map((id) => ({
          ...keys.conversationMessage(organizationId, conversationId, id),
          ...{ id, conversationId, accountId, direction: 'IN', author: 'CUSTOMER' },
          ...{ text: 'x'.repeat(200), status: 'RECEIVED', networkMessageId: id, createdAt },
        })),
        { ...keys.messageCounter(organizationId, conversationId), total: perConversation },
      ]);
    }
    await keep(retentionDays);
    let outcome: unknown = 'unfinished';
    while (outcome === 'unfinished') {
      outcome = await removeOldMessages(organizationId, longEnough);
    }

    const left = await storedItems(`ORG#${organizationId}#CONVERSATION#`);
    expect(left.filter(({ sk }) => sk.startsWith('MESSAGE#'))).toEqual([]);
    expect(left.filter(({ sk, total }) => sk === 'COUNT#MESSAGES' && total !== 0)).toEqual([]);
  });

  it.each([29, 3_651, 30.5, '30'])('rejects %s days', async (days) => {
    const { status, body } = await keep(days as number);

    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('settings.retentionDays');
  });
});
