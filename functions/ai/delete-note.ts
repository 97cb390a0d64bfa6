import { deleteNote } from '#lib/features/conversations/notes.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/conversations.ts';

export const handler = endpoint(
  contracts.deleteNote,
  async ({ organizationId, role, params, caller }) => {
    const { conversation_id: conversationId, note_id: noteId } = params;
    await deleteNote(organizationId, conversationId, noteId, { userId: caller.userId, role });
  },
);
