import { randomInt } from 'node:crypto';
import { isbot } from 'isbot';
import { epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { create, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import { type CountedClick, clickShards, clickWrites } from './click-counters.ts';
import type { Destination } from './destination.ts';
import { visitorOf } from './visitors.ts';

/** A visitor who comes again within this time counts once. */
const visitSeconds = 1_800;

/** Of a request, what tells who it is from. */
export type Visit = {
  readonly method: string;
  readonly clientIp: string;
  readonly userAgent: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
};

type Click = CountedClick & { readonly visitor: string; readonly expiresAtSeconds: number };

/** No longer one was ever given out, and the longest that an address can hold fits into no key. */
const maxCodeLength = 64;

/** Where a short link leads; `undefined` for one that is unknown or switched off. */
export async function findDestination(code: string): Promise<Destination | undefined> {
  if (code.length > maxCodeLength) {
    return undefined;
  }
  const destination = await get<Destination>(keys.shortCode(code));

  return destination?.isActive ? destination : undefined;
}

/** Whether somebody wants to see the page, and not a program, or a browser just in case. */
function isByPerson({ method, userAgent, headers }: Visit): boolean {
  const purpose = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => headers[name]);
  const isAhead = purpose.some((value) => /prefetch|prerender|preview/i.test(value ?? ''));

  return method === 'GET' && userAgent !== '' && !isAhead && !isbot(userAgent);
}

/** ISO 3166, as CloudFront tells it; `undefined` where nobody does. */
function countryOf({ headers }: Visit): string | undefined {
  const country = headers['cloudfront-viewer-country'] ?? '';

  return /^[A-Z]{2}$/.test(country) ? country : undefined;
}

const hostName = /^[a-z0-9.-]{1,253}$/;

/** The host of the page that the visitor came from. */
function referrerHostOf({ headers }: Visit): string | undefined {
  const referrer = headers.referer ?? '';
  const host = URL.canParse(referrer) ? new URL(referrer).hostname : '';

  return hostName.test(host) ? host : undefined;
}

/**
 * Counts a visit, once for a visitor in 30 minutes. What cannot be counted at once, as too many come
 * at the same moment, is left to a worker: the visitor is not kept, and the click is not lost.
 */
export async function countVisit(destination: Destination, visit: Visit): Promise<void> {
  if (!isByPerson(visit)) {
    return;
  }
  const { organizationId, linkId } = destination;
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
    // Whoever follows a link gets where it leads.
    logger.error('A click was not counted', { linkId, failure: describeFailure(failure) });
  }
}

async function countNowOrLater(click: Click): Promise<void> {
  try {
    await count(click);
  } catch (failure) {
    logger.warn('A click is left to the worker', { failure: describeFailure(failure) });
    await write(
      planWork('bioClick', {
        owner: keys.bioClicks(click.organizationId, click.linkId, click.shard),
        payload: JSON.stringify(click),
      }),
    );
  }
}

/** One transaction claims the visitor and adds to all figures: a click counts once, or not at all. */
async function count(click: Click): Promise<void> {
  const { linkId, visitor, expiresAtSeconds } = click;
  const visit = create(keys.bioVisit(linkId, visitor), { expiresAtSeconds });
  await writeIfMet(visit, ...clickWrites(click));
}

/** Counts what could not be counted when it was clicked. A second time, its visitor is known. */
export async function countLateClick({ payload }: WorkRequest): Promise<'done'> {
  await count(JSON.parse(payload));

  return 'done';
}
