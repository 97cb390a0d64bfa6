import { randomInt } from 'node:crypto';
import type { BioDestination } from '#lib/features/short-links/destination.ts';
import type { Visit } from '#lib/features/short-links/visit.ts';
import { epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { bioKeys } from '#lib/platform/db/keys/bio.ts';
import { create, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { logAlarmingError } from '#lib/platform/metrics/embedded-metrics.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { WorkPayload } from '#schemas/messages.ts';
import { clickShards, moveKindsWhenMany, planClickCount } from './click-counters.ts';
import { visitorOf } from './visitors.ts';

/** Repeated visits within this time count as one. */
const visitSeconds = 1_800;

type Click = Extract<WorkPayload<'bioClick'>, { readonly visitor: string }>;

/** Returns the ISO 3166 country code sent by CloudFront, if any. */
function countryOf({ headers }: Visit): string | undefined {
  const country = headers['cloudfront-viewer-country'] ?? '';

  return /^[A-Z]{2}$/.test(country) ? country : undefined;
}

const hostName = /^[a-z0-9.-]{1,253}$/;

function referrerHostOf({ headers }: Visit): string | undefined {
  const referrer = headers.referer ?? '';
  const host = URL.canParse(referrer) ? new URL(referrer).hostname : '';

  return hostName.test(host) ? host : undefined;
}

/**
 * Counts a visit by a person, at most once per visitor in 30 minutes. If counting fails, for
 * example because of contention, a worker counts the click later, so that the visitor does not
 * wait.
 */
export async function countVisit(
  { organizationId, linkId }: BioDestination,
  visit: Visit,
): Promise<void> {
  try {
    const click: Click = {
      organizationId,
      linkId,
      day: timestamp().slice(0, 10),
      shard: randomInt(clickShards),
      country: countryOf(visit),
      referrerHost: referrerHostOf(visit),
      visitor: await visitorOf(visit.clientIp, visit.userAgent),
      expiresAtSeconds: epochSeconds(visitSeconds),
    };
    await countNowOrLater(click);
  } catch (failure) {
    // A counting failure must not prevent the redirect.
    logAlarmingError('LostWork', 'A click was not counted', {
      linkId,
      failure: describeFailure(failure),
    });
  }
}

/** Claims the visitor, and then counts. For a repeated visit, only the claim is tried. */
async function countNowOrLater(click: Click): Promise<void> {
  const isFirst = await claimVisit(click).catch((failure: unknown) =>
    leaveToWorker(click, failure),
  );
  if (!isFirst) {
    return;
  }
  try {
    await moveKindsWhenMany(click, await write(planClickCount(click)));
  } catch (failure) {
    await leaveToWorker({ ...click, isClaimed: true }, failure);
  }
}

function claimVisit({ linkId, visitor, expiresAtSeconds }: Click): Promise<boolean> {
  return writeIfMet(create(bioKeys.bioVisit(linkId, visitor), { expiresAtSeconds }));
}

async function leaveToWorker(click: Click, failure: unknown): Promise<false> {
  logger.warn('A click is left to the worker', { failure: describeFailure(failure) });
  await write(
    planWork('bioClick', {
      owner: bioKeys.bioClicks(click.organizationId, click.linkId, click.shard),
      payload: click,
    }),
  );

  return false;
}

/**
 * Counts a click that could not be counted immediately. Idempotent, because the same transaction
 * writes a claim: the visitor's claim or, if that exists, a claim for this click.
 */
export async function countLateClick(click: Click): Promise<'done'> {
  const { linkId, visitor, isClaimed, expiresAtSeconds } = click;
  const claim = bioKeys.bioVisit(linkId, isClaimed ? `${visitor}#${expiresAtSeconds}` : visitor);
  await writeIfMet(create(claim, { expiresAtSeconds }), planClickCount(click));

  return 'done';
}
