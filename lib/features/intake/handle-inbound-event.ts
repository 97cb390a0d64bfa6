import { adoptPublicId } from '#lib/features/content/posts/adopt-public-id.ts';
import {
  groupOf,
  type InboundEvent,
  inboundEventKey,
} from '#lib/features/conversations/inbound/inbound-event.ts';
import { recordEcho } from '#lib/features/conversations/inbound/record-echo.ts';
import { isInbound, recordInbound } from '#lib/features/conversations/inbound/record-inbound.ts';
import { withReplyOfButton } from '#lib/features/conversations/inbound/with-reply-of-button.ts';
import { changeMessage } from '#lib/features/conversations/messages/change-message.ts';
import { timeOf } from '#lib/features/conversations/messages/event-time.ts';
import { findMessageClaim, placeOf } from '#lib/features/conversations/messages/messages.ts';
import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { findMessagingCredential } from '#lib/features/social/accounts/token-holder.ts';
import { deactivateAccount } from '#lib/features/social/tokens/deactivate-account.ts';
import { withMessagingToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { secondMs } from '#lib/platform/clock.ts';
import { discard, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { WorkOutcome, WorkRequest } from '#lib/platform/work/worker.ts';
import { reportUnreadable } from '#lib/vendors/networks/lenient-fields.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { lookupsOf } from '#lib/vendors/networks/ports/lookups.ts';

const deauthorized = 'The permission was revoked on the network. Please connect the account again';
/** Echoes arrive within this time or never. */
const echoWaitMs = 30 * secondMs;

/** Processes one event of a network. Idempotent. */
export async function handleInboundEvent({
  key,
  payload: inbound,
}: WorkRequest<'inboundEvent'>): Promise<WorkOutcome> {
  const account = await findSocialAccount(inbound.organizationId, inbound.accountId);
  const { event } = inbound;
  if (!account) {
    await discardClaim(inbound);

    return 'done';
  }
  if (event.action) {
    return changeMessage(account, event, key);
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

/** Networks report whole seconds, from their own clock. */
const clockSkewMs = 2 * secondMs;

/**
 * Deactivates the account whose permission was withdrawn, unless its token was issued later. If the
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

/** Stores only the public id. The publisher polls the network for the post's outcome. */
async function notePublicId({ organizationId, accountId, event }: InboundEvent): Promise<void> {
  const { messageId: publicationId, platformPostId: publicId } = event;
  if (publicId !== undefined) {
    await adoptPublicId({ organizationId, accountId, publicationId, publicId });
  }
}

async function record(account: SocialAccount, inbound: InboundEvent): Promise<void> {
  const { messageId, hasWaited = false } = inbound;
  if (inbound.event.isIncomplete && (await isKnown(account, inbound.event))) {
    return;
  }
  const complete = await completed(account, inbound.event);
  if (!complete) {
    // A network may announce a message before its API returns it.
    await (hasWaited ? reportLost(inbound) : postpone(inbound));

    return;
  }
  const event = await withReplyOfButton(account, complete);
  if (isInbound(event) && !event.isEcho && event.from.id !== account.platformUserId) {
    await recordInbound(account, event, messageId);

    return;
  }
  const outcome = await recordEcho(account, event, messageId, !hasWaited);
  if (outcome === 'undecided') {
    await postpone(inbound);
  }
}

/** Fetches an incomplete event. Returns `undefined` if its subject cannot be fetched. */
async function completed(
  account: SocialAccount,
  event: NormalisedEvent,
): Promise<NormalisedEvent | undefined> {
  if (!event.isIncomplete) {
    return event;
  }
  try {
    return await withMessagingToken(account, async (credentials) =>
      lookupsOf(account.platform).completeEvent?.(credentials, event),
    );
  } catch (failure) {
    if (failure instanceof NetworkError && !failure.isTransient) {
      return undefined;
    }
    throw failure;
  }
}

/** The message may also arrive as a complete event, or may have been withdrawn. */
async function isKnown(
  { organizationId, id: accountId }: SocialAccount,
  { messageId }: NormalisedEvent,
): Promise<boolean> {
  const claim = await findMessageClaim(organizationId, accountId, messageId);

  return placeOf(claim) !== undefined || claim?.withdrawnAt !== undefined;
}

function reportLost({ platform, event }: InboundEvent): void {
  reportUnreadable(platform, [`${event.type}: could not be fetched`]);
}

/** Removes the event's claim, because the account was disconnected. */
async function discardClaim({ organizationId, platform, event }: InboundEvent): Promise<void> {
  await write(discard(inboundEventKey(organizationId, platform, event.eventId)));
}

/** Processes the event once more after our send call must have returned. */
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
