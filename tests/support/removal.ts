import { handler } from '#functions/workers/organization-removal.ts';
import { hourMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { newId } from '#lib/platform/ids.ts';
import { lambdaContext } from './api.ts';
import { storedItems } from './table.ts';
import { drainWork, sqsEvent } from './work.ts';

/** Processes removals of deleted organizations, including the second pass for late writes. */
export async function removeDeleted(...organizationIds: readonly string[]): Promise<void> {
  await drainWork('organization-removal');
  setClock(() => Date.now() + hourMs);
  try {
    for (const organizationId of organizationIds) {
      await runSecondPass(organizationId);
    }
  } finally {
    setClock();
  }
}

async function runSecondPass(organizationId: string): Promise<void> {
  const items = await storedItems(keys.organization(organizationId).pk);
  const work = items.filter(({ sk }) => sk.startsWith('OUTBOX#organizationRemoval#'));
  const messages = work.map(({ pk, sk }) => ({
    MessageId: newId(),
    Body: JSON.stringify({ pk, sk }),
  }));
  await handler(sqsEvent(messages), lambdaContext(300_000));
}
