import { timestamp } from '#lib/platform/clock.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import {
  type Alongside,
  create,
  discard,
  ensure,
  put,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { notFound } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import type { ActivityType } from '#schemas/leads.ts';

export type Activity = {
  readonly id: string;
  readonly leadId: string;
  readonly type: ActivityType;
  readonly description: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
};

export function planActivity(organizationId: string, activity: Activity): Write {
  return create(keys.leadActivity(organizationId, activity.leadId, activity.id), activity);
}

/** What one change brought about lies in one item: `also` came after what the item itself says. */
export type StoredActivity = Activity & { readonly also?: ReadonlyArray<Omit<Activity, 'leadId'>> };

/** The activities that one change of a lead brought about, in their order. */
export function planActivities(
  organizationId: string,
  [first, ...others]: readonly Activity[],
): readonly Write[] {
  if (!first) {
    return [];
  }
  const key = keys.leadActivity(organizationId, first.leadId, first.id);
  const also = others.map(({ leadId: _, ...activity }) => activity);

  return [create(key, { ...first, also: also.length > 0 ? also : null })];
}

/** What is told by items, which come newest first, and so does it. */
export function activitiesOfItems(items: readonly StoredActivity[]): readonly Activity[] {
  return items.flatMap(({ also = [], ...activity }) => [
    ...also.toReversed().map((other) => ({ ...other, leadId: activity.leadId })),
    activity,
  ]);
}

export type NewActivity = {
  readonly type: ActivityType;
  readonly description: string;
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
};

/** Records an activity of a lead that exists. @throws 404 */
export async function recordActivity(
  organizationId: string,
  leadId: string,
  { type, description, metadata }: NewActivity,
  alongside: Alongside<Activity>,
): Promise<Activity> {
  const activity: Activity = {
    id: newId(),
    leadId,
    type,
    description,
    metadata: metadata ?? {},
    createdAt: timestamp(),
  };
  await write(
    ...(await alongside(activity)),
    ensure(keys.lead(organizationId, leadId), { refused: () => notFound('Lead') }),
    planActivity(organizationId, activity),
  );

  return activity;
}

/** Two writes for each, and one for the lead: a transaction takes a hundred. */
const movedAtOnce = 40;

/**
 * Hands the activities of one lead over to another one. It can be stopped anywhere and begun again.
 *
 * @throws ConditionNotMet where the other lead does not exist.
 */
export async function moveActivities(
  organizationId: string,
  fromLeadId: string,
  toLeadId: string,
): Promise<void> {
  const activities = await query<Activity>(ranges.leadActivities(organizationId, fromLeadId));
  for (let start = 0; start < activities.length; start += movedAtOnce) {
    await write(
      ensure(keys.lead(organizationId, toLeadId)),
      ...activities.slice(start, start + movedAtOnce).flatMap((activity) => [
        put(keys.leadActivity(organizationId, toLeadId, activity.id), {
          ...activity,
          leadId: toLeadId,
        }),
        discard(activity),
      ]),
    );
  }
}

/** Removes what a deleted lead has left, or hands it over to the one that it was merged into. */
export async function removeActivities({ payload }: WorkRequest<'leadRemoval'>): Promise<'done'> {
  const { organizationId, leadId, mergedInto } = payload;
  if (mergedInto && (await get(keys.lead(organizationId, mergedInto)))) {
    await moveActivities(organizationId, leadId, mergedInto);
  }
  await removeMany(await query(ranges.leadActivities(organizationId, leadId)));

  return 'done';
}
