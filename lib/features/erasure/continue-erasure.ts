import { addressesOf } from '#lib/features/leads/contacts/contact-addresses.ts';
import type { Contact } from '#lib/features/leads/contacts/contacts.ts';
import { hourMs, now, timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { get } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { change, create, discard, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { WorkOutcome } from '#lib/platform/work/worker.ts';
import { type DataSource, erasers } from './data-sources.ts';
import { type Erasure, findErasure } from './erasure.ts';
import type { ErasedCounts, PersonScope } from './person-scope.ts';
import {
  amountsOf,
  ContactFoundError,
  listErasedRecords,
  removeRecords,
} from './remove-records.ts';

/** A step takes a few seconds. The function must not time out in the middle of one. */
const reserveMs = 15_000;
/** Requests and workers that started before the erasure may still write until then. */
const finalPassDelayMs = hourMs;

const dataSources = Object.keys(erasers) as readonly DataSource[];

class OutOfTimeError extends Error {}

/**
 * Erases a person. Can be interrupted and restarted. Removes the records first, and then erases the
 * sources in order, continuing where the last run stopped. An hour later, erases all sources once
 * more.
 */
export async function continueErasure(
  { organizationId, erasureId }: { readonly organizationId: string; readonly erasureId: string },
  remainingMs: () => number,
): Promise<WorkOutcome> {
  const stopInTime = () => {
    if (remainingMs() < reserveMs) {
      throw new OutOfTimeError();
    }
  };
  const erasure = await findErasure(organizationId, erasureId);
  if (!erasure) {
    return 'done';
  }
  try {
    if (erasure.status === 'PENDING') {
      await removeRecords(erasure, stopInTime);
      await eraseSources(erasure, stopInTime);
      await finish(erasure);
    }
    const againInMs = Date.parse(erasure.createdAt) + finalPassDelayMs - now();
    if (againInMs > 0) {
      return { againInMs };
    }

    return await makeFinalPass({ organizationId, erasureId }, stopInTime);
  } catch (failure) {
    if (failure instanceof OutOfTimeError) {
      return 'unfinished';
    }
    if (failure instanceof ContactFoundError) {
      await includeContact(erasure, failure.contactId);

      return 'unfinished';
    }
    throw failure;
  }
}

/** Removes data that was written late, and then everything except the counts. */
async function makeFinalPass(
  { organizationId, erasureId }: { readonly organizationId: string; readonly erasureId: string },
  stopInTime: () => void,
): Promise<'done'> {
  const erasure = await findErasure(organizationId, erasureId);
  if (erasure) {
    await eraseSources(erasure, stopInTime);
    await writeIfMet(
      change(leadKeys.erasure(organizationId, erasureId), { set: { place: null, cursor: null } }),
    );
    await removeMany(await listErasedRecords(erasure));
  }

  return 'done';
}

/**
 * Erases the sources in order. The record contains the current source, so that a restart skips
 * earlier ones.
 */
async function eraseSources(erasure: Erasure, stopInTime: () => void): Promise<void> {
  const { organizationId, id } = erasure;
  const scope = await scopeOf(erasure);
  let at = { place: erasure.place, cursor: erasure.cursor };
  const rest = at.place ? dataSources.slice(dataSources.indexOf(at.place)) : dataSources;
  for (const name of rest) {
    const save = async (cursor: string | undefined, counts: Partial<ErasedCounts> = {}) => {
      await write(
        change(leadKeys.erasure(organizationId, id), {
          set: { place: name, cursor: cursor ?? null },
          // The final pass finds late data, which is not counted.
          ...(erasure.status === 'PENDING' ? { add: amountsOf(counts) } : {}),
          when: allOf(unchanged('place', at.place), unchanged('cursor', at.cursor)),
        }),
      );
      at = { place: name, cursor };
    };
    if (at.place !== name) {
      await save(undefined);
    }
    await erasers[name](scope, { cursor: at.cursor, save, stopInTime });
  }
}

async function scopeOf(erasure: Erasure): Promise<PersonScope> {
  const { organizationId, formerIds = [], addresses = [], customers = [] } = erasure;
  const records = await listErasedRecords(erasure);

  return {
    organizationId,
    records,
    formerIds,
    addresses,
    customers: [...customers, ...records.flatMap(({ customer }) => customer ?? [])],
  };
}

/** Keeps only data that identifies no one. */
async function finish(erasure: Erasure): Promise<void> {
  const { organizationId, id, subjects = [] } = erasure;
  for (const record of await listErasedRecords(erasure)) {
    if (record.customer) {
      await write(change(record, { set: { customer: null } }));
    }
  }
  await write(
    change(leadKeys.erasure(organizationId, id), {
      set: {
        status: 'DONE',
        doneAt: timestamp(),
        subjects: null,
        addresses: null,
        customers: null,
        place: null,
        cursor: null,
      },
      when: equals('status', 'PENDING'),
    }),
    ...subjects.map((subject) => discard(leadKeys.erasureClaim(organizationId, subject))),
  );
}

/** Includes a contact that was created for the person after the erasure started. */
async function includeContact(
  { organizationId, id, subjects = [], addresses = [] }: Erasure,
  contactId: string,
): Promise<void> {
  const contact = await get<Contact>(leadKeys.contact(organizationId, contactId));
  if (!contact || contact.erasureId) {
    return;
  }
  await write(
    create(leadKeys.erasureClaim(organizationId, contactId), { erasureId: id }),
    change(leadKeys.erasure(organizationId, id), {
      set: {
        contactId,
        subjects: [...subjects, contactId],
        formerIds: contact.formerIds,
        addresses: [...new Set([...addresses, ...addressesOf(contact)])],
      },
      when: absent('contactId'),
    }),
    change(leadKeys.contact(organizationId, contactId), {
      set: { erasureId: id, version: contact.version + 1 },
      when: equals('version', contact.version),
    }),
  );
}
