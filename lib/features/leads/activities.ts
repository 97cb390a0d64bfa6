import type { Conversation, Message } from '#lib/features/conversations/conversation.ts';
import { cutToLength } from '#lib/platform/characters.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { leadKeys, leadRanges } from '#lib/platform/db/keys/leads.ts';
import { socialRanges } from '#lib/platform/db/keys/social.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import {
  create,
  discard,
  type ExtraWrites,
  ensure,
  put,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { notFound } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type { ActivityType, createLeadActivity } from '#schemas/leads.ts';
import type { Lead } from './lead.ts';

export type Activity = {
  readonly id: string;
  readonly leadId: string;
  readonly type: ActivityType;
  readonly description: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The conversation of the message that it is about. The message contains the description. */
  readonly ofConversationId?: string;
  readonly createdAt: string;
};

const maxDescription = 500;

/**
 * Plans the activity of a message. It has the message's id and no separate text, so it always
 * shows the current text.
 */
export function planMessageActivity(
  organizationId: string,
  leadId: string,
  { id, direction, author, conversationId: ofConversationId, createdAt }: Message,
  { channel }: Conversation,
): Write {
  const isReceived = direction === 'IN';
  const metadata = { messageId: id, channel, ...(isReceived ? {} : { author }) };

  return planActivity(organizationId, {
    id,
    leadId,
    type: isReceived ? 'MESSAGE_RECEIVED' : 'MESSAGE_SENT',
    description: '',
    metadata,
    ofConversationId,
    createdAt: isReceived ? createdAt : timestamp(),
  });
}

/** Adds the texts of the messages, with one query per conversation. */
export async function withMessageTexts(
  organizationId: string,
  activities: readonly Activity[],
): Promise<readonly Activity[]> {
  const ofMessages = Map.groupBy(
    activities.filter(({ ofConversationId }) => ofConversationId !== undefined),
    ({ ofConversationId = '' }) => ofConversationId,
  );
  const texts = await Promise.all(
    [...ofMessages].map(([conversationId, of]) => textsOf(organizationId, conversationId, of)),
  );
  const textOf = new Map(texts.flat());

  return activities.map((activity) =>
    activity.ofConversationId === undefined
      ? activity
      : { ...activity, description: cutToLength(textOf.get(activity.id) ?? '', maxDescription) },
  );
}

async function textsOf(
  organizationId: string,
  conversationId: string,
  activities: readonly Activity[],
): Promise<ReadonlyArray<readonly [string, string]>> {
  const ids = activities.map(({ id }) => id).toSorted();
  const range = socialRanges.messagesBetween(organizationId, conversationId, {
    first: ids[0] ?? '',
    last: ids.at(-1) ?? '',
  });
  const messages = await query<Message>(range, { attributes: ['pk', 'sk', 'id', 'text'] });

  return messages.map(({ id, text }) => [id, text]);
}

export function planActivity(organizationId: string, activity: Activity): Write {
  return create(leadKeys.leadActivity(organizationId, activity.leadId, activity.id), activity);
}

/** All activities from one change are stored in one item. `also` contains those after the first. */
export type StoredActivity = Activity & { readonly also?: ReadonlyArray<Omit<Activity, 'leadId'>> };

/** Stores the activities from one change of a lead, in order. */
export function planActivities(
  organizationId: string,
  [first, ...others]: readonly Activity[],
): readonly Write[] {
  if (!first) {
    return [];
  }
  const key = leadKeys.leadActivity(organizationId, first.leadId, first.id);
  const also = others.map(({ leadId: _, ...activity }) => activity);

  return [create(key, { ...first, also: also.length > 0 ? also : null })];
}

/** Expands stored items into activities. Both are sorted newest first. */
export function activitiesOfItems(items: readonly StoredActivity[]): readonly Activity[] {
  return items.flatMap(({ also = [], ...activity }) => [
    ...also.toReversed().map((other) => ({ ...other, leadId: activity.leadId })),
    activity,
  ]);
}

export type NewActivity = Omit<BodyOf<typeof createLeadActivity>, 'type'> & {
  readonly type: ActivityType;
};

/** Records an activity of an existing lead. @throws 404 */
export async function recordActivity(
  organizationId: string,
  leadId: string,
  { type, description, metadata }: NewActivity,
  extraWrites: ExtraWrites<Activity>,
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
    ...(await extraWrites(activity)),
    ensure(leadKeys.lead(organizationId, leadId), { onConditionFailed: () => notFound('Lead') }),
    planActivity(organizationId, activity),
  );

  return activity;
}

/** Each activity needs two writes, plus one for the lead. A transaction allows 100. */
const moveBatchSize = 40;

/**
 * Moves the activities of one lead to another. Can be interrupted at any point and restarted.
 *
 * @throws ConditionNotMetError if the target lead does not exist.
 */
export async function moveActivities(
  organizationId: string,
  fromLeadId: string,
  toLeadId: string,
): Promise<void> {
  const activities = await query<Activity>(leadRanges.leadActivities(organizationId, fromLeadId));
  for (let start = 0; start < activities.length; start += moveBatchSize) {
    await write(
      ensure(leadKeys.lead(organizationId, toLeadId)),
      ...activities.slice(start, start + moveBatchSize).flatMap((activity) => [
        put(leadKeys.leadActivity(organizationId, toLeadId, activity.id), {
          ...activity,
          leadId: toLeadId,
        }),
        discard(activity),
      ]),
    );
  }
}

/** Removes the activities of a deleted lead, or moves them to the lead it was merged into. */
export async function removeActivities({ payload }: WorkRequest<'leadRemoval'>): Promise<'done'> {
  const { organizationId, leadId, mergedInto } = payload;
  if (mergedInto && (await get(leadKeys.lead(organizationId, mergedInto)))) {
    await moveActivities(organizationId, leadId, mergedInto);
  }
  await removeMany(await query(leadRanges.leadActivities(organizationId, leadId)));

  return 'done';
}

const shownActivities = 100;

/** Returns a lead with its latest activities, in one query. @throws 404 */
export async function requireLeadWithActivities(organizationId: string, leadId: string) {
  const items = await query<Lead | StoredActivity>(
    leadRanges.leadAndActivities(organizationId, leadId),
    {
      newestFirst: true,
      limit: shownActivities + 1,
    },
  );
  const [lead, ...activities] = items;
  if (!lead || !('stageId' in lead)) {
    throw notFound('Lead');
  }

  return {
    lead,
    activities: activitiesOfItems(activities as readonly StoredActivity[]).slice(
      0,
      shownActivities,
    ),
  };
}
