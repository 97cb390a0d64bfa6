import { finishAccountDeletion } from '#lib/features/auth/deletion/finish-account-deletion.ts';
import { removeOldMessages } from '#lib/features/conversations/messages/remove-old-messages.ts';
import { continueErasure } from '#lib/features/erasure/continue-erasure.ts';
import { continueDataDeletion } from '#lib/features/erasure/data-deletion/continue-data-deletion.ts';
import { removeOrganization } from '#lib/features/organization-lifecycle/removal.ts';
import { type WorkOutcome, type WorkRequest, worker } from '#lib/platform/work/worker.ts';
import { organizationRemovalWork } from '#schemas/work-payloads.ts';

async function removeDeleted(work: WorkRequest<'organizationRemoval'>): Promise<WorkOutcome> {
  const { payload } = work;
  if ('erasureId' in payload) {
    return continueErasure(payload, work.remainingMs);
  }
  if ('dataDeletionCode' in payload) {
    return continueDataDeletion(payload.dataDeletionCode);
  }
  if ('removes' in payload) {
    return removeOldMessages(payload.organizationId, work.remainingMs);
  }
  if ('organizationId' in payload) {
    return removeOrganization(payload.organizationId, work);
  }
  await finishAccountDeletion(payload);

  return 'done';
}

export const handler = worker('organizationRemoval', organizationRemovalWork, removeDeleted);
