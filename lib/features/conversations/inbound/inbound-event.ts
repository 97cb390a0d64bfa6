import { createHash } from 'node:crypto';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { eventShards, socialKeys } from '#lib/platform/db/keys/social.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import type { WorkPayload } from '#schemas/messages.ts';
import type { Platform } from '#schemas/platforms.ts';

/** An event to process, the account that it concerns, and the id of its message. */
export type InboundEvent = WorkPayload<'inboundEvent'>;

/** The key of an event's claim, which ensures that the event is stored once. */
export function inboundEventKey(organizationId: string, platform: Platform, eventId: string): Key {
  const [byte = 0] = createHash('sha256').update(eventId).digest();

  return socialKeys.inboundEvent(organizationId, byte % eventShards, platform, eventId);
}

/**
 * Events of one group are processed in order. A group is one customer on one channel. An echo
 * belongs to the group of its recipient.
 */
export function groupOf(accountId: string, event: NormalisedEvent): string {
  const { isEcho, channel, from, to, parentId = '' } = event;
  const other = isEcho ? (to?.id ?? parentId) : from.id;

  return createHash('sha256').update(`${accountId}\n${channel}\n${other}`).digest('hex');
}
