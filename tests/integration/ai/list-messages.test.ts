import { describe, expect, it } from 'vitest';
import type { Conversation } from '#lib/features/conversations/conversation.ts';
import { newId } from '#lib/platform/ids.ts';
import { listMessages } from '#schemas/conversations.ts';
import { storeConversation, storeMessage } from '#scripts/fixtures/conversations.ts';
import { conversationSetup } from './setup.ts';

const { owner, ask } = await conversationSetup();

function messagesOf({ id }: Pick<Conversation, 'id'>, query = {}) {
  return ask(listMessages, { params: { conversation_id: id }, query });
}

describe('GET /ai/conversations/{organization_id}/{conversation_id}/messages', () => {
  it('returns every message once by cursor, newest first, with the exact total', async () => {
    const conversation = await storeConversation(owner.organizationId);
    const stored: string[] = [];
    for (let number = 0; number < 7; number += 1) {
      stored.unshift((await storeMessage(conversation)).id);
    }

    const shown: string[][] = [];
    let cursor: string | null = null;
    do {
      const { status, body } = await messagesOf(conversation, {
        limit: '3',
        ...(cursor === null ? {} : { cursor }),
      });
      expect({ status, total: body.pagination.total }).toEqual({ status: 200, total: 7 });
      shown.push(body.messages.map(({ id }: { id: string }) => id));
      cursor = body.pagination.nextCursor;
    } while (cursor !== null);

    expect(shown).toEqual([stored.slice(0, 3), stored.slice(3, 6), stored.slice(6)]);
  });

  it('shows every field, and links only to files that are stored', async () => {
    const conversation = await storeConversation(owner.organizationId);
    const [kept, pending] = [newId(), newId()];
    const userId = newId();
    const deletedAt = '2026-01-02T10:00:00.000Z';
    const message = await storeMessage(conversation, {
      direction: 'OUT',
      author: 'HUMAN',
      text: 'Ten pounds each.',
      status: 'FAILED',
      failureReason: 'The window is closed',
      userId,
      confidence: 0.5,
      deletedAt,
      attachments: [
        { id: kept, kind: 'IMAGE', contentType: 'image/jpeg', bytes: 3, isStored: true },
        { id: pending, kind: 'FILE', sourceUrl: 'https://cdn.example.com/secret' },
      ],
    });

    const { body } = await messagesOf(conversation);

    expect(body.messages).toEqual([
      {
        id: message.id,
        direction: 'OUT',
        author: 'HUMAN',
        text: 'Ten pounds each.',
        status: 'FAILED',
        attachments: [
          {
            id: kept,
            kind: 'IMAGE',
            contentType: 'image/jpeg',
            bytes: 3,
            url: expect.stringContaining(kept),
          },
          { id: pending, kind: 'FILE', contentType: null, bytes: null, url: null },
        ],
        failureReason: 'The window is closed',
        userId,
        confidence: 0.5,
        isHidden: false,
        isLiked: false,
        deletedAt,
        createdAt: message.createdAt,
      },
    ]);
  });

  it('returns an empty page for a conversation without messages', async () => {
    const { body } = await messagesOf(await storeConversation(owner.organizationId));

    expect(body).toMatchObject({ messages: [], pagination: { total: 0, nextCursor: null } });
  });

  it("rejects a limit over 100 and another conversation's cursor", async () => {
    const [one, other] = [
      await storeConversation(owner.organizationId),
      await storeConversation(owner.organizationId),
    ];
    await storeMessage(one);
    await storeMessage(one);
    const cursor = (await messagesOf(one, { limit: '1' })).body.pagination.nextCursor;

    for (const [conversation, query, field] of [
      [one, { limit: '101' }, 'limit'],
      [other, { cursor }, 'cursor'],
    ] as const) {
      const { status, body } = await messagesOf(conversation, query);
      expect(status).toBe(400);
      expect(JSON.stringify(body)).toContain(field);
    }
  });
});
