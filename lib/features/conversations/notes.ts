import { timestamp } from '#lib/platform/clock.ts';
import { socialKeys, socialRanges } from '#lib/platform/db/keys/social.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { create, type ExtraWrites, ensure, remove, write } from '#lib/platform/db/write.ts';
import { forbidden, notFound, requireFound } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { planQuotaRelease, planQuotaUse } from '#lib/platform/quotas/quotas.ts';
import { type Role, ranksAtLeast } from '#schemas/contract.ts';
import { conversationNotFound, requireConversation } from './conversations.ts';

/** A note of the team about a conversation. It is never sent to customers or the AI service. */
export type Note = {
  readonly id: string;
  readonly text: string;
  readonly createdById: string;
  readonly createdAt: string;
};

/** @throws 404 for an unknown conversation, 409 if it has too many notes. */
export async function createNote(
  organizationId: string,
  conversationId: string,
  { text, userId }: { readonly text: string; readonly userId: string },
  extraWrites: ExtraWrites<Note>,
): Promise<Note> {
  const note: Note = { id: newId(), text, createdById: userId, createdAt: timestamp() };
  await write(
    ...(await extraWrites(note)),
    ensure(socialKeys.conversation(organizationId, conversationId), {
      onConditionFailed: conversationNotFound,
    }),
    create(socialKeys.conversationNote(organizationId, conversationId, note.id), note),
    planQuotaUse(socialKeys.noteCounter(organizationId, conversationId), 'notes'),
  );

  return note;
}

/** Returns all notes of a conversation, newest first. @throws 404 */
export async function listNotes(
  organizationId: string,
  conversationId: string,
): Promise<readonly Note[]> {
  const [notes] = await Promise.all([
    query<Note>(socialRanges.conversationNotes(organizationId, conversationId), {
      newestFirst: true,
    }),
    requireConversation(organizationId, conversationId),
  ]);

  return notes;
}

/** @throws 404 for an unknown note, 403 for a member who did not write it. */
export async function deleteNote(
  organizationId: string,
  conversationId: string,
  noteId: string,
  actor: { readonly userId: string; readonly role: Role },
): Promise<void> {
  const key = socialKeys.conversationNote(organizationId, conversationId, noteId);
  const note = requireFound(await get<Note>(key), 'Note');
  if (note.createdById !== actor.userId && !ranksAtLeast(actor.role, 'ADMIN')) {
    throw forbidden();
  }
  await write(
    remove(key, { onConditionFailed: () => notFound('Note') }),
    planQuotaRelease(socialKeys.noteCounter(organizationId, conversationId)),
  );
}
