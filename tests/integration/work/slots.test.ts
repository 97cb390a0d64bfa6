import { expect, it, vi } from 'vitest';
import { secondMs, setClock } from '#lib/platform/clock.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { type OutboxItem, planWork } from '#lib/platform/work/outbox.ts';
import { slotsOf } from '#lib/platform/work/slots.ts';
import { type WorkHandler, worker } from '#lib/platform/work/worker.ts';
import { type WorkKind, workerDefinitions } from '#schemas/messages.ts';
import { mediaProcessingWork } from '#schemas/work-payloads.ts';
import { lambdaContext } from '#tests/support/api.ts';
import { sqsEvent } from '#tests/support/work.ts';

async function plannedMedia(organizationId: string): Promise<Key> {
  const mediaId = newId();
  const { afterwards: _, ...planned } = planWork('mediaProcessing', {
    owner: keys.media(organizationId, mediaId),
    payload: { organizationId, mediaId },
  });
  await write(planned);

  return { pk: planned.key.pk, sk: planned.key.sk };
}

function deliver(work: Key, handle: WorkHandler<'mediaProcessing'>) {
  const message = { MessageId: newId(), Body: JSON.stringify(work) };
  const handler = worker('mediaProcessing', mediaProcessingWork, handle);

  return handler(sqsEvent([message]), lambdaContext());
}

/** Runs work until `finishAll`. */
function startLongWork(works: readonly Key[]) {
  const { promise: end, resolve: finish } = Promise.withResolvers<'done'>();
  const begun: string[] = [];
  const over: Key[] = [];
  const delivered = works.map(async (work) => {
    await deliver(work, ({ payload }) => {
      begun.push(payload.organizationId);

      return end;
    });
    over.push(work);
  });
  const finishAll = async () => {
    finish('done');
    await Promise.all(delivered);
  };

  return { begun, over, finishAll };
}

const slots = 3;

it('one organization holds at most a fifth of a worker, so that others can use the rest', async () => {
  const [busy, other] = [newId(), newId()];
  const works = await Promise.all(Array.from({ length: 8 }, () => plannedMedia(busy)));
  const { begun, over, finishAll } = startLongWork(works);
  // The other work is postponed. If one of them is slow, it takes the slot of work that has
  // finished.
  await expect.poll(() => over.length).toBe(works.length - slots);
  const elsewhere = startLongWork([await plannedMedia(other)]);
  await expect.poll(() => elsewhere.begun).toEqual([other]);
  await elsewhere.finishAll();
  await finishAll();
  const left = await Promise.all(works.map((work) => get<OutboxItem>(work)));

  expect(begun).toEqual([busy, busy, busy]);
  expect(left.filter((item) => item !== undefined)).toHaveLength(works.length - slots);
  expect(left.every((item) => item === undefined || item.leaseUntil === undefined)).toBe(true);
});

it('waiting work is processed when a slot is free again, and the wait does not count as a try', async () => {
  const organizationId = newId();
  const works = await Promise.all(
    Array.from({ length: slots }, () => plannedMedia(organizationId)),
  );
  const waiting = await plannedMedia(organizationId);
  const { begun, finishAll } = startLongWork(works);
  await expect.poll(() => begun.length).toBe(slots);
  await deliver(waiting, () => Promise.reject(new Error('No slot was free')));
  expect(await get<OutboxItem>(waiting)).toMatchObject({ attempts: 0 });
  await finishAll();
  await deliver(waiting, async () => 'done');

  expect(await get(waiting)).toBeUndefined();
});

it('slots of crashed workers are used again after their leases expire', async () => {
  const organizationId = newId();
  const works = await Promise.all(
    Array.from({ length: slots }, () => plannedMedia(organizationId)),
  );
  const { begun } = startLongWork(works);
  await expect.poll(() => begun.length).toBe(slots);
  const waiting = await plannedMedia(organizationId);
  setClock(() => Date.now() + 60 * secondMs);
  await deliver(waiting, async () => 'done');

  expect(await get(waiting)).toBeUndefined();
});

it('exactly the work that may take more than a minute is limited', () => {
  const limited = Object.fromEntries(
    (Object.keys(workerDefinitions) as WorkKind[]).flatMap((kind) => {
      const most = slotsOf(kind);

      return most === undefined ? [] : [[kind, most]];
    }),
  );

  expect(limited).toEqual({
    organizationRemoval: 2,
    leadImport: 2,
    accountDisconnected: 2,
    accountSnapshot: 10,
    contentPublish: 20,
    attachments: 4,
    mediaProcessing: slots,
    knowledgeReading: 1,
  });
});

it('every organization has a slot, even if an account allows little concurrency', () => {
  vi.stubEnv('WORKER_CONCURRENCY_PERCENT', '10');

  expect(slotsOf('knowledgeReading')).toBe(1);
});
