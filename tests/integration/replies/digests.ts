import { handler as digestJob } from '#functions/jobs/unanswered-digest.ts';
import type { Conversation } from '#lib/features/conversations/conversation.ts';
import type { UnansweredEntry } from '#lib/features/conversations/conversation-entries.ts';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { getMany, query } from '#lib/platform/db/read.ts';
import { lambdaContext } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { drainWork } from '#tests/support/work.ts';

/** Runs the job some minutes from now, and sends the planned mails. */
export async function sendDigests(inMinutes = 0): Promise<void> {
  setClock(() => Date.now() + inMinutes * minuteMs);
  await digestJob({}, lambdaContext(50_000));
  setClock();
  await drainWork('mail-delivery');
}

/** Returns the ids of the conversations that a mail links to. */
export function linkedIn({ text }: { readonly text?: string | null | undefined }) {
  return [...(text ?? '').matchAll(/\/conversations\/([0-9a-f-]{36})/g)].map(([, id]) => id ?? '');
}

/** Returns the digests sent to an address, oldest first. */
export async function digestsTo(email: string) {
  const mails = await sandbox.mails(email);

  return mails
    .filter(({ subject }) => subject.includes('waiting for an answer'))
    .toSorted((one, other) => one.at.localeCompare(other.at));
}

/**
 * Returns the list of unanswered conversations: as it is, and as it should be according to the
 * conversations.
 */
export async function readList(organizationId: string, ids: readonly string[]) {
  const [entries, conversations] = await Promise.all([
    query<UnansweredEntry>(ranges.unansweredConversations(organizationId)),
    getMany<Conversation>(ids.map((id) => keys.conversation(organizationId, id))),
  ]);

  return {
    listed: entries.map(({ conversationId: id, assigneeId, mailedTo }) => ({
      id,
      assigneeId,
      mailedTo,
    })),
    expected: conversations.flatMap((one) =>
      one?.unansweredReason
        ? [{ id: one.id, assigneeId: one.assigneeId, mailedTo: one.mailedTo }]
        : [],
    ),
  };
}
