import { listNotes } from '#lib/features/conversations/notes.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/conversations.ts';

export const handler = endpoint(contracts.listNotes, async ({ organizationId, params }) => {
  const notes = await listNotes(organizationId, params.conversation_id);

  return { notes, total: notes.length };
});
