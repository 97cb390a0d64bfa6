import { now, secondMs } from '#lib/platform/clock.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { WorkKind } from '#schemas/messages.ts';
import { dispatch, type OutboxItem, planWork, type WorkOptions } from './outbox.ts';

/**
 * Plans and dispatches work of which there is one piece for each `workId`. Where an earlier one is
 * not over, it gets the new payload in place of its own, and its worker does that next. Should that
 * worker have died, the message comes when its lease is over.
 *
 * @returns whether there was none.
 */
export function ensureWork(
  kind: WorkKind,
  options: WorkOptions & { readonly workId: string },
): Promise<boolean> {
  return retryWhenOvertaken('work', async () => {
    const work = planWork(kind, options);
    if (await writeIfMet(work)) {
      return true;
    }
    const { payload, group } = options;
    const { key } = work;
    const item = await write(change(key, { set: { payload }, add: { revision: 1 } }));
    await dispatch(kind, key, { group, delaySeconds: untilFree(item as OutboxItem | undefined) });

    return false;
  });
}

/** Whole seconds, one more than the lease lasts; `undefined` where nobody is at it. */
function untilFree(item: OutboxItem | undefined): number | undefined {
  const leftMs = Date.parse(item?.leaseUntil ?? '') - now();

  return leftMs > 0 ? Math.ceil(leftMs / secondMs) + 1 : undefined;
}
