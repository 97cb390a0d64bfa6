import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createNote } from '#lib/features/conversations/notes.ts';
import { continueErasure } from '#lib/features/erasure/continue-erasure.ts';
import { requireErasure } from '#lib/features/erasure/erasure.ts';
import type { NetworkCustomer } from '#lib/features/erasure/person-scope.ts';
import { eraseContact, eraseCustomer } from '#lib/features/erasure/request-erasure.ts';
import { planGap } from '#lib/features/knowledge/gaps.ts';
import { convertConversation } from '#lib/features/leads/convert-conversation.ts';
import { ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { noExtraWrites, write } from '#lib/platform/db/write.ts';
import { storeConversation, storeMessage } from '#scripts/fixtures/conversations.ts';
import { storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { recount } from '#scripts/operations/recount/recount.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { storedItems } from '#tests/support/table.ts';

let organizationId: string;

waitForNobody();

beforeAll(async () => {
  ({ organizationId } = await newAccount());
  await storeWebhook(organizationId);
});

const longEnough = () => 300_000;

function eraseByService(id: string, customer: NetworkCustomer) {
  return eraseCustomer(id, customer, null, noExtraWrites);
}

/** Stores a person with a lead and two conversations of several messages, each with a marker. */
async function person(marker: string) {
  const customer = { id: marker, name: `${marker} Babbage` };
  const account = await storeSocialAccount(organizationId);
  const conversations = await Promise.all(
    (['DIRECT_MESSAGE', 'COMMENT'] as const).map((channel) =>
      storeConversation(organizationId, { socialAccountId: account.id, channel, customer }),
    ),
  );
  for (const conversation of conversations) {
    for (let message = 0; message < 3; message += 1) {
      await storeMessage(conversation, { text: marker, networkMessageId: randomUUID() });
    }
    await createNote(organizationId, conversation.id, { text: marker, userId: 'u' }, noExtraWrites);
    await write(
      ...(await planGap(organizationId, {
        question: marker,
        vector: new Float32Array([1]),
        conversationId: conversation.id,
        messages: [],
        agentId: undefined,
      })),
    );
  }

  return { customer, conversations };
}

async function contactOf(marker: string) {
  const { conversations } = await person(marker);
  const [pipeline] = await query<{ readonly pipelineId: string }>(ranges.pipelines(organizationId));
  const { contact } = await convertConversation(
    organizationId,
    String(conversations[0]?.id),
    { pipelineId: String(pipeline?.pipelineId), source: 'social_media', notes: marker },
    noExtraWrites,
  );

  return contact.id;
}

/** Runs the erasure, crashes after the nth write, and finishes it. Returns whether it crashed. */
async function crashAfterWrite(erasureId: string, nth: number): Promise<boolean> {
  const work = { organizationId, erasureId };
  const { hasDied } = await untilDeath({ at: 'a write', nth, when: 'after' }, () =>
    continueErasure(work, longEnough),
  );
  await finish(erasureId);

  return hasDied;
}

async function finish(erasureId: string): Promise<void> {
  let outcome: unknown = 'unfinished';
  while (outcome === 'unfinished') {
    outcome = await continueErasure({ organizationId, erasureId }, longEnough);
  }
}

async function finds(marker: string) {
  const items = await storedItems(`ORG#${organizationId}`);

  return items.filter((item) => JSON.stringify(item).includes(marker)).map(({ sk }) => sk);
}

async function wrongCounters() {
  const { TABLE_NAME: tableName = '', DYNAMODB_ENDPOINT: endpoint } = process.env;
  const differences = await recount({ tableName, endpoint });

  return differences.filter(({ key }) => key.pk.includes(organizationId));
}

function newMarker(): string {
  return `zyx${randomUUID().replaceAll(/[^a-f]/g, '')}q`;
}

describe('an interrupted erasure', () => {
  it('finishes after a crash after any write, with the same counts', async () => {
    let nth = 1;
    for (let hasDied = true; hasDied; nth += 1) {
      const marker = newMarker();
      const contactId = await contactOf(marker);
      const { id } = await eraseContact(organizationId, contactId, null, noExtraWrites);

      hasDied = await crashAfterWrite(id, nth);

      expect(await requireErasure(organizationId, id)).toMatchObject({
        status: 'DONE',
        removed: { leads: 1, conversations: 2, messages: 6, files: 0, activities: 0 },
      });
      expect(await finds(marker)).toEqual([]);
    }

    expect(nth).toBeGreaterThan(15);
    expect(await wrongCounters()).toEqual([]);
  });

  it('continues after its time runs out', async () => {
    const marker = newMarker();
    const contactId = await contactOf(marker);
    const { id } = await eraseContact(organizationId, contactId, null, noExtraWrites);
    let steps = 0;
    let outcome: unknown = 'unfinished';
    for (; outcome === 'unfinished'; steps += 1) {
      let checks = 0;
      outcome = await continueErasure({ organizationId, erasureId: id }, () => {
        checks += 1;

        // The time runs out at the check after the next step.
        return checks > 1 + steps ? 0 : longEnough();
      });
    }

    expect(steps).toBeGreaterThan(1);
    expect(await finds(marker)).toEqual([]);
    expect((await requireErasure(organizationId, id)).removed.messages).toBe(6);
  });
});

describe('erasing a network customer', () => {
  it('removes conversations without a lead or contact', async () => {
    const marker = newMarker();
    const { customer } = await person(marker);
    const customerId = customer.id;
    const asked = { platform: 'FACEBOOK', id: customerId } as const;

    const first = await eraseByService(organizationId, asked);
    const second = await eraseByService(organizationId, asked);
    await finish(String(first?.id));

    expect(second?.id).toBe(first?.id);
    expect(await requireErasure(organizationId, String(first?.id))).toMatchObject({
      status: 'DONE',
      removed: { leads: 0, conversations: 2, messages: 6, files: 0, activities: 0 },
    });
    expect(await finds(marker)).toEqual([]);
    expect(await wrongCounters()).toEqual([]);
    expect(await eraseByService(organizationId, asked)).toBeUndefined();
  });

  it('erases the contact of the customer', async () => {
    const marker = newMarker();
    const contactId = await contactOf(marker);

    const erasure = await eraseByService(organizationId, { platform: 'FACEBOOK', id: marker });
    await finish(String(erasure?.id));

    expect(erasure?.contactId).toBe(contactId);
    expect(await finds(marker)).toEqual([]);
  });

  it('includes a contact that is created while the erasure is pending', async () => {
    const marker = newMarker();
    const { conversations, customer } = await person(marker);
    const erasure = await eraseByService(organizationId, {
      platform: 'FACEBOOK',
      id: customer.id,
    });
    const [pipeline] = await query<{ readonly pipelineId: string }>(
      ranges.pipelines(organizationId),
    );
    await convertConversation(
      organizationId,
      String(conversations[1]?.id),
      { pipelineId: String(pipeline?.pipelineId), source: 'social_media' },
      noExtraWrites,
    );

    await finish(String(erasure?.id));

    expect(await finds(marker)).toEqual([]);
    expect(await wrongCounters()).toEqual([]);
  });

  it('does not change data of other people', async () => {
    const [marker, other] = [newMarker(), newMarker()];
    await person(marker);
    await contactOf(other);
    const before = await finds(other);
    const erasure = await eraseByService(organizationId, { platform: 'FACEBOOK', id: marker });
    await finish(String(erasure?.id));

    expect(await finds(other)).toEqual(before);
  });
});
