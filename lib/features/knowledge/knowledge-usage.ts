import { absent, allOf, below, either, unchanged } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, count, type Refusal, type Write } from '#lib/platform/db/write.ts';
import { type ApiError, apiError } from '#lib/platform/errors/failures.ts';
import { hasQuota, planQuotaUse, quotaExceeded, quotaLimit } from '#lib/platform/quotas/quotas.ts';
import { tooManyPassages } from '#schemas/knowledge.ts';
import { maxPassages } from './passages.ts';

/** The counter of an organization's knowledge. */
export type KnowledgeCounter = {
  /** Sources. */
  readonly value?: number;
  /** The number of sources that were ever created. */
  readonly created?: number;
  /** The number of searchable passages. */
  readonly passages?: number;
};

function counterKey(organizationId: string): Key {
  return organizationKeys.counter(organizationId, 'KNOWLEDGE');
}

/** Counts a new source, in its transaction. */
export function planSourceUse(organizationId: string): Write {
  return planQuotaUse(counterKey(organizationId), 'knowledgeSources', { add: { created: 1 } });
}

/** The same, but fails with ConditionNotMetError if another source was created since the read. */
export function planOnlySourceUse(
  organizationId: string,
  { value = 0, created }: KnowledgeCounter,
): Write {
  const key = counterKey(organizationId);
  const hasRoom = hasQuota('knowledgeSources', 'value');

  return change(key, {
    add: { value: 1, created: 1 },
    when: allOf(hasRoom, unchanged('created', created)),
    orCreate: true,
    ...(isFull(value) ? { onConditionFailed: () => quotaExceeded('knowledgeSources') } : {}),
  });
}

function isFull(value: number): boolean {
  return value >= quotaLimit('knowledgeSources');
}

export function planSourceRelease(organizationId: string, passages: number): Write {
  return count(counterKey(organizationId), { value: -1, passages: -passages });
}

/** Counts the passages of a source that becomes READY, if the quota allows them. */
export function planPassages(
  organizationId: string,
  added: number,
  onConditionFailed: Refusal,
): Write {
  const most = maxPassages - added;
  const hasRoom = below('passages', most + 1);

  return change(counterKey(organizationId), {
    add: { passages: added },
    ...(added > 0
      ? { when: most >= 0 ? either(absent('passages'), hasRoom) : hasRoom, onConditionFailed }
      : {}),
    orCreate: true,
  });
}

/**
 * Returns the counter.
 *
 * @throws 409 if content of this size certainly exceeds the quota.
 */
export async function requireRoom(
  organizationId: string,
  passages: number,
  replaced = 0,
): Promise<KnowledgeCounter> {
  const counter: KnowledgeCounter = (await get(counterKey(organizationId))) ?? {};
  if ((counter.passages ?? 0) - replaced + passages > maxPassages) {
    throw passagesExceeded();
  }

  return counter;
}

function passagesExceeded(): ApiError {
  return apiError('QUOTA_EXCEEDED', tooManyPassages, {
    fields: {
      quota: { name: 'knowledgePassages', limit: maxPassages },
    },
  });
}
