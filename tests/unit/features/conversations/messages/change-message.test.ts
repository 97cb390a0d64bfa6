import { describe, expect, it } from 'vitest';
import type { Message } from '#lib/features/conversations/conversation.ts';
import { changedBy } from '#lib/features/conversations/messages/change-message.ts';

const message: Message = {
  id: '0192f0c3-2b40-75c6-97d8-4d5e6f708192',
  conversationId: '0192f0c3-2b3c-7182-9394-0f1a2b3c4d5e',
  accountId: '0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70',
  direction: 'IN',
  author: 'CUSTOMER',
  text: 'Hello',
  status: 'RECEIVED',
  networkMessageId: 'text',
  createdAt: '2026-01-15T09:30:00.000Z',
};
const occurredAt = '2026-01-15T09:31:00.000Z';
const edit = (text: string, revision?: number) => ({
  messageId: 'text',
  action: 'edit' as const,
  text,
  occurredAt,
  ...(revision === undefined ? {} : { revision }),
});
const withdrawalOf = (messageId: string) => ({
  messageId,
  action: 'withdraw' as const,
  text: '',
  occurredAt,
});

describe('an edit', () => {
  it('replaces the text, unless a later edit already did', () => {
    const second = changedBy(message, edit('Second', 2));

    expect(second).toMatchObject({ text: 'Second', revision: 2 });
    expect(changedBy(second, edit('First', 1))).toBe(second);
    expect(changedBy(second, edit('Second', 2))).toBe(second);
    expect(changedBy(second, edit('Third', 3)).text).toBe('Third');
  });

  it('is ordered by its time if the network does not number it', () => {
    const later = changedBy(message, edit('Later'));
    const earlier = { ...edit('Earlier'), occurredAt: '2026-01-15T09:30:30.000Z' };

    expect(later.text).toBe('Later');
    expect(changedBy(later, earlier)).toBe(later);
  });

  it('does not restore a withdrawn message', () => {
    const gone = changedBy(message, withdrawalOf('text'));

    expect(gone).toMatchObject({ text: '', deletedAt: occurredAt });
    expect(changedBy(gone, edit('Back', 9))).toBe(gone);
  });
});

describe('the withdrawal of a reply with a file', () => {
  const file = { id: '1', kind: 'IMAGE', isStored: true, networkMessageId: 'file' } as const;
  const reply: Message = { ...message, direction: 'OUT', author: 'HUMAN', attachments: [file] };

  it('removes the part that was withdrawn, and then the message', () => {
    const withoutFile = changedBy(reply, withdrawalOf('file'));
    const withoutText = changedBy(reply, withdrawalOf('text'));

    expect(withoutFile).toMatchObject({ text: 'Hello' });
    expect([withoutFile.attachments, withoutFile.deletedAt]).toEqual([undefined, undefined]);
    expect(withoutText).toMatchObject({ text: '', attachments: [file] });
    expect(withoutText.deletedAt).toBeUndefined();
    expect(changedBy(withoutFile, withdrawalOf('text')).deletedAt).toBe(occurredAt);
    expect(changedBy(withoutText, withdrawalOf('file'))).toMatchObject({ deletedAt: occurredAt });
  });
});
