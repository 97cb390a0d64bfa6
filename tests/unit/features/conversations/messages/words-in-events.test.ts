import { describe, expect, it } from 'vitest';
import type { Message } from '#lib/features/conversations/conversation.ts';
import {
  repeatsOlderMessage,
  rewordedEvent,
} from '#lib/features/conversations/messages/words-in-events.ts';
import { lastMessageOf } from '#lib/features/conversations/waiting.ts';

const message: Message = {
  id: '0192f0c3-2b40-75c6-97d8-4d5e6f708192',
  conversationId: '0192f0c3-2b3c-7182-9394-0f1a2b3c4d5e',
  accountId: '0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70',
  direction: 'IN',
  author: 'CUSTOMER',
  text: 'Secret',
  status: 'RECEIVED',
  createdAt: '2026-01-15T09:30:00.000Z',
};
const { id: messageId, conversationId, createdAt } = message;
const lastMessage = lastMessageOf(message);
const events = {
  'message.received': { conversationId, messageId, text: 'Secret', createdAt },
  'conversation.created': { conversationId, conversation: { id: conversationId, lastMessage } },
  'conversation.handed_over': { conversationId, lastMessage },
  'conversation.unanswered': { conversationId, lastMessage },
};
const jsonOf = ([type, data]: readonly [string, object]) => JSON.stringify({ type, data });

describe('the last message', () => {
  it('has the first 200 characters', () => {
    expect(lastMessageOf({ ...message, text: '🍕'.repeat(201) }).text).toBe('🍕'.repeat(200));
    expect(lastMessageOf({ ...message, text: 'x'.repeat(200) }).text).toBe('x'.repeat(200));
  });
});

describe.each(Object.entries(events))(
  'after a change of its message, the event %s',
  (type, data) => {
    const json = jsonOf([type, data]);

    it('has the text of the edited message', () => {
      const reworded = rewordedEvent(json, { ...message, text: 'Edited' });

      expect(reworded).toBe(json.replace('Secret', 'Edited'));
    });

    it('has no text of a withdrawn message', () => {
      const reworded = rewordedEvent(json, { ...message, text: '', deletedAt: createdAt }) ?? '';

      expect(reworded).not.toContain('Secret');
      expect(JSON.parse(reworded)).toMatchObject({ type });
    });

    it('is not changed if it contains another message, or already has this text', () => {
      const other = { ...message, id: '1', text: '', createdAt: '2026-01-15T09:31:00.000Z' };

      expect(rewordedEvent(json, message)).toBeUndefined();
      expect(rewordedEvent(json, other)).toBeUndefined();
      expect(rewordedEvent(json, { ...message, conversationId: '1' })).toBeUndefined();
    });

    it('counts as old if the message is old', () => {
      expect(repeatsOlderMessage(json, '2026-01-15T09:30:00.001Z')).toBe(true);
      expect(repeatsOlderMessage(json, createdAt)).toBe(false);
    });
  },
);

it('an event without a message never counts as old', () => {
  const deleted = jsonOf(['lead.deleted', { leadId: '1', createdAt }]);

  expect(repeatsOlderMessage(deleted, '2027-01-01T00:00:00.000Z')).toBe(false);
});
