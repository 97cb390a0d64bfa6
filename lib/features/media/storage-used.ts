import { findPlan } from '#lib/features/billing/subscriptions/plans.ts';
import {
  findSubscription,
  openSubscription,
  type SubscriptionRecord,
} from '#lib/features/billing/subscriptions/subscription-record.ts';
import { absent, below, type Condition, either } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, type Write } from '#lib/platform/db/write.ts';
import { type ApiError, apiError } from '#lib/platform/errors/failures.ts';
import { defaultMediaBytes, type MediaStatus, mediaQuotaMessage } from '#schemas/media.ts';
import type { Media } from './media.ts';

/** The counter of an organization's media. Every transaction that changes media updates it. */
export type MediaCounter = {
  /** The total size of READY media. */
  readonly bytes?: number;
  /** `bytes`, and the announced sizes of media that are not READY yet. */
  readonly claimedBytes?: number;
  readonly total?: number;
} & Readonly<Partial<Record<Exclude<MediaStatus, 'READY'> | 'IMAGE' | 'VIDEO', number>>>;

export type StorageLimit = { readonly limitBytes: number };

export function storageUsedKey(organizationId: string): Key {
  return organizationKeys.counter(organizationId, 'MEDIA');
}

/** Returns the storage limit of the organization's plan. */
export async function findMediaLimit(organizationId: string): Promise<StorageLimit> {
  return mediaLimitOf(await findSubscription(organizationId));
}

export function mediaLimitOf(record: SubscriptionRecord | undefined): StorageLimit {
  const plan = openSubscription(record)?.plan;
  const { mediaBytes = defaultMediaBytes } = (plan && (findPlan(plan.id) ?? plan)) ?? {};

  return { limitBytes: mediaBytes };
}

export async function findMediaCounter(organizationId: string): Promise<MediaCounter> {
  return (await get<MediaCounter>(storageUsedKey(organizationId))) ?? {};
}

export function presentStorageUsed(
  { bytes = 0, IMAGE = 0, VIDEO = 0 }: MediaCounter,
  limit: StorageLimit,
) {
  return { bytes, limitBytes: limit.limitBytes, files: IMAGE + VIDEO };
}

/** Returns the 409 with the current usage. */
function mediaQuotaExceeded(counter: MediaCounter, limit: StorageLimit): ApiError {
  return apiError('QUOTA_EXCEEDED', mediaQuotaMessage, {
    fields: {
      quota: { name: 'mediaBytes', limit: limit.limitBytes },
      usage: presentStorageUsed(counter, limit),
    },
  });
}

type Counts = Readonly<Record<string, number>>;

function countsOf(media: Media | undefined): Counts {
  if (!media) {
    return {};
  }
  const { status, kind = 'IMAGE', claimedBytes } = media;
  const isReady = status === 'READY';

  return {
    total: 1,
    claimedBytes,
    [isReady ? kind : status]: 1,
    ...(isReady ? { bytes: claimedBytes } : {}),
  };
}

/**
 * Counts a change of a media file, in its transaction. With a limit, it fails with a 409 if the
 * quota is exceeded, so concurrent requests cannot exceed it.
 */
export function planStorageUsed(
  organizationId: string,
  before: Media | undefined,
  after: Media | undefined,
  limit?: StorageLimit,
): Write {
  const [was, is] = [countsOf(before), countsOf(after)];
  const add = Object.fromEntries(
    [...new Set([...Object.keys(was), ...Object.keys(is)])]
      .map((name) => [name, (is[name] ?? 0) - (was[name] ?? 0)] as const)
      .filter(([, amount]) => amount !== 0),
  );

  return change(storageUsedKey(organizationId), {
    add,
    orCreate: true,
    ...(limit
      ? {
          when: hasRoom(limit, add.claimedBytes ?? 0),
          onConditionFailed: (stored) => mediaQuotaExceeded((stored ?? {}) as MediaCounter, limit),
        }
      : {}),
  });
}

/**
 * True if this many bytes fit into the quota. If the size is unknown, true if at least one byte
 * fits.
 */
function hasRoom({ limitBytes }: StorageLimit, bytes: number): Condition {
  const most = limitBytes - Math.max(bytes, 1);
  const isBelow = below('claimedBytes', most + 1);

  return most >= 0 ? either(absent('claimedBytes'), isBelow) : isBelow;
}
