import { adoptPublicId } from '#lib/features/content/posts/adopt-public-id.ts';
import {
  findMessagingCredential,
  findSocialAccount,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import { changeMessage } from '#lib/features/social/conversations/change-message.ts';
import { recordEcho } from '#lib/features/social/conversations/record-echo.ts';
import {
  isInbound,
  recordInbound,
  timeOf,
} from '#lib/features/social/conversations/record-inbound.ts';
import { deactivateAccount } from '#lib/features/social/tokens/deactivate-account.ts';
import { withMessagingToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { secondMs } from '#lib/platform/clock.ts';
import { discard, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { networkOf } from '#lib/vendors/networks/networks.ts';
import { groupOf, type InboundEvent, inboundEventKey } from './inbound-event.ts';

const deauthorized = 'The permission was revoked on the network. Please connect the account again';
/** Echoes arrive within this time or not at all. */
const echoWaitMs = 30 * secondMs;

/** Processes one event of a network. Idempotent. */
export async function handleInboundEvent({
  payload: inbound,
}: WorkRequest<'inboundEvent'>): Promise<'done'> {
  const account = await findSocialAccount(inbound.organizationId, inbound.accountId);
  if (!account) {
    await discardClaim(inbound);

    return 'done';
  }
  await handle(account, inbound);

  return 'done';
}

async function handle(account: SocialAccount, inbound: InboundEvent): Promise<void> {
  switch (inbound.event.type) {
    case 'deauthorized':
      await deactivateUnlessRenewed(account, inbound.event);

      return;
    case 'publication':
      await notePublicId(inbound);

      return;
    default:
      await record(account, inbound);
  }
}

/** Networks report whole seconds, by their own clock. */
const clockSkewMs = 2 * secondMs;

/**
 * Deactivates the token whose permission was withdrawn, unless it was issued after that. If the
 * newer token is invalid too, the next call detects that.
 */
async function deactivateUnlessRenewed(
  account: SocialAccount,
  event: NormalisedEvent,
): Promise<void> {
  const isMessaging = event.platformUserId === account.messagingUserId;
  const holder = isMessaging ? await findMessagingCredential(account) : account;
  if (holder && Date.parse(timeOf(event)) + clockSkewMs >= Date.parse(holder.tokenIssuedAt)) {
    await deactivateAccount(holder, deauthorized);
  }
}

/** Only the public id is taken. The publisher polls the network for the post's outcome. */
async function notePublicId({ organizationId, accountId, event }: InboundEvent): Promise<void> {
  const { messageId: publicationId, platformPostId: publicId } = event;
  if (publicId !== undefined) {
    await adoptPublicId({ organizationId, accountId, publicationId, publicId });
  }
}

async function record(account: SocialAccount, inbound: InboundEvent): Promise<void> {
  const { messageId, hasWaited = false } = inbound;
  const event = await completed(account, inbound.event);
  if (!event) {
    // A network may announce a comment before its API returns it.
    await (hasWaited ? undefined : postpone(inbound));

    return;
  }
  if (event.action) {
    await changeMessage(account, event, event.action);

    return;
  }
  if (isInbound(event) && !event.isEcho && event.from.id !== account.platformUserId) {
    await recordInbound(account, event, messageId);

    return;
  }
  const outcome = await recordEcho(account, event, messageId, !hasWaited);
  if (outcome === 'undecided') {
    await postpone(inbound);
  }
}

/** Fetches missing parts of the event; `undefined` if its subject no longer exists. */
async function completed(
  account: SocialAccount,
  event: NormalisedEvent,
): Promise<NormalisedEvent | undefined> {
  if (!networkOf(account.platform).completeEvent) {
    return event;
  }

  return withMessagingToken(account, async (network, credentials) =>
    network.completeEvent?.(credentials, event),
  );
}

/** Discards the event's claim, because the account was disconnected. */
async function discardClaim({ organizationId, platform, event }: InboundEvent): Promise<void> {
  await write(discard(inboundEventKey(organizationId, platform, event.eventId)));
}

/** Handles the event once more after our send call must have returned. */
async function postpone(inbound: InboundEvent): Promise<void> {
  const { organizationId, accountId, platform, event, messageId } = inbound;
  const waiting: InboundEvent = { ...inbound, hasWaited: true };
  const work = planWork('inboundEvent', {
    owner: inboundEventKey(organizationId, platform, event.eventId),
    payload: waiting,
    workId: `${messageId}-again`,
    sweepAfterMs: echoWaitMs,
    group: groupOf(accountId, event),
    leaveToSweep: true,
  });
  await writeIfMet(work);
}
