import { records } from '#lib/platform/records.ts';
import { listRecords, requireRecord, type SmallRecord } from '#lib/platform/small-record.ts';
import { savedReplyVariables } from '#schemas/saved-replies.ts';
import { placeholdersOf } from './placeholders.ts';

type SavedReply = SmallRecord & { readonly text: string };

const savedReply = { resource: 'Saved reply', kind: 'SAVED_REPLY' } as const;

export const savedReplies = /* @__PURE__ */ records<SavedReply>(savedReply, {
  counter: 'SAVED_REPLIES',
  quota: 'savedReplies',
  uniqueName: ['SAVED_REPLY_NAME_EXISTS', 'Saved reply name already exists'],
});

/** @throws 404 */
export function requireSavedReply(organizationId: string, id: string): Promise<SavedReply> {
  return requireRecord(savedReply, organizationId, id);
}

/** Returns all saved replies, newest first. */
export function listSavedReplies(organizationId: string): Promise<readonly SavedReply[]> {
  return listRecords(savedReply, organizationId);
}

/** Returns a problem for each unknown placeholder of a saved reply. */
export function savedReplyProblems({ text }: { readonly text?: string | undefined }) {
  const known: ReadonlySet<string> = new Set(savedReplyVariables);
  const unknown = placeholdersOf(text ?? '').filter((name) => !known.has(name));

  return unknown.length === 0
    ? []
    : [
        `text has unknown placeholders: ${unknown.join(', ')}. Known are ${savedReplyVariables.join(', ')}`,
      ];
}
