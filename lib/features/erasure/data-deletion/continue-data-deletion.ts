import { findErasure } from '#lib/features/erasure/erasure.ts';
import { eraseCustomer } from '#lib/features/erasure/request-erasure.ts';
import { minuteMs, timestamp } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { organizationOfEntry, socialKeys, socialRanges } from '#lib/platform/db/keys/social.ts';

import { query } from '#lib/platform/db/read.ts';
import { change, discard, noExtraWrites, write } from '#lib/platform/db/write.ts';
import type { WorkOutcome } from '#lib/platform/work/worker.ts';
import { lookupsOf } from '#lib/vendors/networks/ports/lookups.ts';
import { type DataDeletion, findDataDeletion, type StartedErasure } from './data-deletion.ts';

/**
 * Erases a person in every organization that has a conversation with them, and checks every minute
 * until all erasures are done. Can be interrupted and repeated anywhere.
 */
export async function continueDataDeletion(code: string): Promise<WorkOutcome> {
  const request = await findDataDeletion(code);
  if (!request?.personId || request.status === 'DONE') {
    return 'done';
  }
  const started = await startErasures(request, request.personId);
  if (await areDone(started)) {
    await finish(request, request.personId);

    return 'done';
  }

  return { againInMs: minuteMs };
}

/**
 * Returns the erasures of all runs. Conversations that an erasure has removed are not found again.
 */
async function startErasures(
  { code, platform, erasures: known = [] }: DataDeletion,
  personId: string,
): Promise<readonly StartedErasure[]> {
  const scopedIds = (await lookupsOf(platform).listScopedIds?.(personId)) ?? [];
  const erasures = [...known];
  for (const id of new Set([personId, ...scopedIds])) {
    const entries = await query<object>(socialRanges.customerConversations(platform, id));
    for (const organizationId of new Set(entries.map(organizationOfEntry))) {
      const erasure = await eraseCustomer(organizationId, { platform, id }, null, noExtraWrites);
      if (erasure && !erasures.some(({ erasureId }) => erasureId === erasure.id)) {
        erasures.push({ organizationId, erasureId: erasure.id });
        // Stored before the conversations disappear from the list.
        await write(
          change(socialKeys.dataDeletion(code), {
            set: { erasures },
            when: equals('status', 'PENDING'),
          }),
        );
      }
    }
  }

  return erasures;
}

async function areDone(erasures: readonly StartedErasure[]): Promise<boolean> {
  const found = await Promise.all(
    erasures.map(({ organizationId, erasureId }) => findErasure(organizationId, erasureId)),
  );

  // If an organization was deleted, its erasure is done, too.
  return found.every((erasure) => erasure?.status !== 'PENDING');
}

/** Keeps only data that identifies no one. */
async function finish({ code, platform }: DataDeletion, personId: string): Promise<void> {
  await write(
    discard(socialKeys.openDataDeletion(platform, personId)),
    change(socialKeys.dataDeletion(code), {
      set: { status: 'DONE', doneAt: timestamp(), personId: null, erasures: null },
      when: equals('status', 'PENDING'),
    }),
  );
}
