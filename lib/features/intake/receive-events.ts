import { setTimeout as wait } from 'node:timers/promises';
import {
  groupOf,
  type InboundEvent,
  inboundEventKey,
} from '#lib/features/conversations/inbound/inbound-event.ts';
import { cleanPerson } from '#lib/features/conversations/inbound/person.ts';
import { timeOf } from '#lib/features/conversations/messages/event-time.ts';
import { findAccountWebhookClaim } from '#lib/features/social/accounts/account-webhook.ts';
import type { SocialAccountClaim } from '#lib/features/social/accounts/accounts.ts';
import { cutToLength, storableText } from '#lib/platform/characters.ts';
import { dayMs, epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { create } from '#lib/platform/db/write.ts';
import { writeUnlessTaken } from '#lib/platform/db/write-if-met.ts';
import { bodyInvalid, requireFound, signatureInvalid } from '#lib/platform/errors/failures.ts';
import { idAt } from '#lib/platform/ids.ts';
import { logger } from '#lib/platform/log/logger.ts';
import { dispatch, planWork } from '#lib/platform/work/outbox.ts';
import type { Headers, NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { asAnswer } from '#lib/vendors/networks/network-error.ts';
import { eventsOf } from '#lib/vendors/networks/ports/events.ts';
import type { Platform } from '#schemas/platforms.ts';

/** Networks redeliver events for up to three days, and each must be recognized. */
const retentionDays = 30;
const storedAtOnce = 50;
/**
 * Networks expect a fast response. The sweep dispatches events that were not dispatched within this
 * time.
 */
const dispatchMs = 500;

export type InboundDelivery = { readonly rawBody: Buffer; readonly headers: Headers };

/**
 * Accepts a network's webhook delivery. Before it returns, each new event is stored once, with its
 * work. Events of accounts that are not connected are dropped.
 *
 * @returns the number of new events.
 * @throws 401 for a wrong signature, 400 for an invalid delivery.
 */
export async function receiveEvents(
  platform: Platform,
  delivery: InboundDelivery,
  known?: Owners,
): Promise<number> {
  const { rawBody, headers } = delivery;
  if (!(await asAnswer(eventsOf(platform).verifySignature(rawBody, headers)))) {
    throw signatureInvalid();
  }

  return takeEvents(platform, parse(platform, rawBody), known);
}

/**
 * Accepts a delivery to an account's own URL. A network signs all deliveries in the same way, so
 * events of other accounts are accepted here too.
 *
 * @throws 404 if the account has no subscription; otherwise like `receiveEvents`.
 */
export async function receiveEventsOfAccount(
  accountId: string,
  delivery: InboundDelivery,
): Promise<number> {
  const claim = requireFound(await findAccountWebhookClaim(accountId), 'Webhook subscription');
  const { platform, platformUserId, organizationId } = claim;
  const owner = { organizationId, accountId };

  return receiveEvents(platform, delivery, new Map([[platformUserId, owner]]));
}

function parse(platform: Platform, rawBody: Buffer): readonly NormalisedEvent[] {
  try {
    return eventsOf(platform).parseEvents(rawBody);
  } catch (cause) {
    if (cause instanceof SyntaxError) {
      throw bodyInvalid('Request body must be a webhook event from the network', cause);
    }
    throw cause;
  }
}

/** Stores events from a delivery or a poll, and dispatches their processing. */
export async function takeEvents(
  platform: Platform,
  events: readonly NormalisedEvent[],
  known: Owners = new Map(),
): Promise<number> {
  const owned = await withOwners(platform, events, known);
  const stored = await atMostAtOnce(storedAtOnce, owned, store);
  const fresh = owned.flatMap(({ group, inbound }, index) => {
    const workKey = stored[index];

    return workKey ? [{ kind: workKindOf(inbound.event), group, workKey }] : [];
  });
  await Promise.race([dispatchInOrder(fresh), wait(dispatchMs, undefined, { ref: false })]);

  return fresh.length;
}

type Owners = ReadonlyMap<string, SocialAccountClaim>;
type OwnedEvent = { readonly group: string; readonly inbound: InboundEvent };
type GroupedWork = {
  readonly kind: EventWorkKind;
  readonly group: string;
  readonly workKey: Key;
};
type EventWorkKind = 'inboundEvent' | 'leadAd';

function workKindOf({ type }: NormalisedEvent): EventWorkKind {
  return type === 'leadAd' ? 'leadAd' : 'inboundEvent';
}

/** Dispatches in parallel, but sequentially within a group to keep its order. */
async function dispatchInOrder(fresh: readonly GroupedWork[]): Promise<void> {
  const groups = [...Map.groupBy(fresh, ({ group }) => group).values()];
  await atMostAtOnce(storedAtOnce, groups, async (members) => {
    for (const { kind, group, workKey } of members) {
      await dispatch(kind, workKey, kind === 'inboundEvent' ? { group } : {});
    }
  });
}

async function withOwners(
  platform: Platform,
  events: readonly NormalisedEvent[],
  known: Owners,
): Promise<readonly OwnedEvent[]> {
  const asked = events
    .map(({ platformUserId }) => platformUserId)
    .filter((platformUserId) => !known.has(platformUserId));
  const claims = await getMany<SocialAccountClaim>(
    asked.map((platformUserId) => socialKeys.socialAccountClaim(platform, platformUserId)),
  );
  const found = new Map(asked.map((platformUserId, index) => [platformUserId, claims[index]]));

  return events.flatMap((event) => {
    const claim = known.get(event.platformUserId) ?? found.get(event.platformUserId);
    if (!claim) {
      logger.info('An event of an account that nobody has connected was left out', {
        platform,
        type: event.type,
      });

      return [];
    }
    const { organizationId, accountId } = claim;
    const messageId = idAt(Date.parse(timeOf(event)));

    return [
      {
        group: groupOf(accountId, event),
        inbound: { organizationId, accountId, platform, messageId, event: cleanEvent(event) },
      },
    ];
  });
}

/**
 * Stores the event's claim and its work in one transaction. Returns `undefined` if the event is
 * already stored.
 */
async function store({ group, inbound }: OwnedEvent): Promise<Key | undefined> {
  const key = inboundEventKey(inbound.organizationId, inbound.platform, inbound.event.eventId);
  const work = planEventWork(key, group, inbound);
  const claim = {
    receivedAt: timestamp(),
    expiresAtSeconds: epochSeconds((retentionDays * dayMs) / 1_000),
  };

  return (await writeUnlessTaken([create(key, claim)], [work])) ? work.key : undefined;
}

/** Events are dispatched in the order of their group, after all of them are stored. */
function planEventWork(owner: Key, group: string, inbound: InboundEvent) {
  const { organizationId, accountId, platform, messageId: workId, event } = inbound;
  const common = { owner, workId, leaveToSweep: true };
  const { eventId, messageId: leadAdId } = event;

  return workKindOf(event) === 'leadAd'
    ? planWork('leadAd', {
        ...common,
        payload: {
          organizationId,
          accountId,
          platform,
          leadAdId,
          eventId,
          receivedAt: timestamp(),
        },
      })
    : planWork('inboundEvent', { ...common, payload: inbound, group });
}

/** Longer than any network allows. */
const maxTextLength = 20_000;

/** Cleans names and text, like `cleanPerson`. */
function cleanEvent(event: NormalisedEvent): NormalisedEvent {
  const { from, to, text } = event;

  return {
    ...event,
    from: cleanPerson(from),
    to: to && cleanPerson(to),
    text: cutToLength(storableText(text), maxTextLength),
  };
}
