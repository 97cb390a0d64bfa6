import { now, secondMs } from '#lib/platform/clock.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { WorkKind } from '#schemas/messages.ts';
import { dispatch, type OutboxItem, planWork, storedPayload, type WorkOptions } from './outbox.ts';

/**
 * Plans and dispatches work that exists once per `workId`. If a previous item is unfinished, its
 * payload is replaced, and its worker continues with the new payload. If that worker has crashed,
 * the message arrives after its lease has expired.
 *
 * @returns true if there was no unfinished item.
 */
export function ensureWork<Kind extends WorkKind>(
  kind: Kind,
  options: WorkOptions<Kind> & { readonly workId: string },
): Promise<boolean> {
  return retryWhenOvertaken('work', async () => {
    const work = planWork(kind, options);
    if (await writeIfMet(work)) {
      return true;
    }
    const { group } = options;
    const payload = storedPayload(options.payload);
    const { key } = work;
    const item = await write(change(key, { set: { payload }, add: { revision: 1 } }));
    await dispatch(kind, key, {
      group,
      delaySeconds: secondsUntilFree(item as OutboxItem | undefined),
    });

    return false;
  });
}

/** Returns whole seconds until the lease has expired; `undefined` if there is no lease. */
function secondsUntilFree(item: OutboxItem | undefined): number | undefined {
  const leftMs = Date.parse(item?.leaseUntil ?? '') - now();

  return leftMs > 0 ? Math.ceil(leftMs / secondMs) + 1 : undefined;
}
