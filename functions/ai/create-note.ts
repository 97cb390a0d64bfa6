import { createNote } from '#lib/features/conversations/notes.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/conversations.ts';

export const handler = endpoint(contracts.createNote, async (request) => {
  const { organizationId, params, body, caller, idempotently } = request;
  const details = { text: body.text, userId: caller.userId };
  const note = await idempotently((extraWrites) =>
    createNote(organizationId, params.conversation_id, details, extraWrites),
  );

  return { note };
});
