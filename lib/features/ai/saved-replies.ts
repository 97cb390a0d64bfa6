import { timestamp } from '#lib/platform/clock.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  type Alongside,
  applied,
  ConditionNotMetError,
  change,
  create,
  remove,
  write,
} from '#lib/platform/db/write.ts';
import { badRequest, notFound, requireFound } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { planQuotaRelease, planQuotaUse } from '#lib/platform/quotas/quotas.ts';
import { planNameChange, planNameClaim, planNameRelease } from '#lib/platform/unique-names.ts';
import type { BodyOf } from '#schemas/contract.ts';
import {
  type createSavedReply as createContract,
  savedReplyVariables,
  type updateSavedReply as updateContract,
} from '#schemas/saved-replies.ts';
import { placeholdersOf } from './placeholders.ts';

export type SavedReply = {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** Incremented by every change, for optimistic locking. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

const kind = 'SAVED_REPLY';

function counterOf(organizationId: string) {
  return keys.counter(organizationId, 'SAVED_REPLIES');
}

/** @throws 400 for an unknown placeholder, 409 if the name is taken or the quota is used up. */
export async function createSavedReply(
  organizationId: string,
  { name, text }: BodyOf<typeof createContract>,
  alongside: Alongside<SavedReply>,
): Promise<SavedReply> {
  requireSavedReplyVariables(text);
  const now = timestamp();
  const reply = { id: newId(), name, text, version: 1, createdAt: now, updatedAt: now };
  await write(
    ...(await alongside(reply)),
    planNameClaim(organizationId, kind, reply),
    create(keys.savedReply(organizationId, reply.id), { ...reply, organizationId }),
    planQuotaUse(counterOf(organizationId), 'savedReplies'),
  );

  return reply;
}

function requireSavedReplyVariables(text: string): void {
  const known: ReadonlySet<string> = new Set(savedReplyVariables);
  const unknown = placeholdersOf(text).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw badRequest(
      `text has unknown placeholders: ${unknown.join(', ')}. Known are ${savedReplyVariables.join(', ')}`,
    );
  }
}

/** @throws 404 */
export async function requireSavedReply(organizationId: string, id: string): Promise<SavedReply> {
  return requireFound(await get<SavedReply>(keys.savedReply(organizationId, id)), 'Saved reply');
}

/** Returns all saved replies, newest first. */
export function listSavedReplies(organizationId: string): Promise<readonly SavedReply[]> {
  return query<SavedReply>(ranges.savedReplies(organizationId), { newestFirst: true });
}

/** @throws 404; 400 for an unknown placeholder; 409 if the name is taken. */
export function updateSavedReply(
  organizationId: string,
  id: string,
  patch: BodyOf<typeof updateContract>,
): Promise<SavedReply> {
  requireSavedReplyVariables(patch.text ?? '');

  return retryWhenOvertaken('saved reply', async () => {
    const before = await requireSavedReply(organizationId, id);
    if (!changesSomething(before, patch)) {
      return before;
    }
    const set = { ...patch, version: before.version + 1, updatedAt: timestamp() };
    const key = keys.savedReply(organizationId, id);
    await write(
      change(key, {
        set,
        when: equals('version', before.version),
        refused: (stored) =>
          stored ? new ConditionNotMetError(key, stored) : notFound('Saved reply'),
      }),
      ...planNameChange(organizationId, kind, before, patch.name),
    );

    return applied(before, set);
  });
}

/** @throws 404 */
export async function deleteSavedReply(organizationId: string, id: string): Promise<void> {
  await retryWhenOvertaken('saved reply', async () => {
    const reply = await requireSavedReply(organizationId, id);
    await write(
      remove(keys.savedReply(organizationId, id), { when: equals('version', reply.version) }),
      planNameRelease(organizationId, kind, reply),
      planQuotaRelease(counterOf(organizationId)),
    );
  });
}
