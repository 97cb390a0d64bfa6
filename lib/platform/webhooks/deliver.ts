import { epochSeconds, hourMs, minuteMs, now, secondMs, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { allOf, equals } from '#lib/platform/db/conditions.ts';
import { webhookKeys } from '#lib/platform/db/keys/webhooks.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { isSuspended } from '#lib/platform/identity/identity.ts';
import { logger } from '#lib/platform/log/logger.ts';
import { fetchPublic } from '#lib/platform/outbound/fetch-public.ts';
import { OutboundError } from '#lib/platform/outbound/outbound-error.ts';
import type { WorkOutcome, WorkRequest } from '#lib/platform/work/worker.ts';
import { type Delivery, type DeliveryWork, findDelivery } from './delivery.ts';
import { openWebhookSecrets } from './endpoint-secrets.ts';
import {
  findWebhookEndpoint,
  targetOf,
  type WebhookEndpoint,
  type WebhookTarget,
} from './endpoints.ts';
import { signatureHeaders } from './sign.ts';
import { goneStatus, noteFailure, noteSuccess } from './switch-off.ts';

/** Delay after each failed attempt. After the last one, delivery is given up. */
const retryDelaysMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
];

const maxRetryAfterMs = 24 * hourMs;
/**
 * The end of a suspension sends waiting deliveries. This retry covers deliveries that it missed.
 */
const suspendedWaitMs = hourMs;
const maxAnswerBytes = 65_536;

type Attempt = {
  readonly responseStatus?: number;
  /** Absent on success. */
  readonly failureReason?: string;
  /** True if retrying is pointless. */
  readonly isFinal?: boolean;
  readonly retryAfterMs?: number | undefined;
};

/**
 * Makes one delivery attempt and stores the outcome. A crash before the outcome is stored repeats
 * the attempt with the same `webhook-id`.
 */
export async function deliverWebhook({
  key,
  payload,
}: WorkRequest<'webhook'>): Promise<WorkOutcome> {
  const work = payload;
  const [delivery, endpoint, suspended] = await Promise.all([
    findDelivery(work),
    findWebhookEndpoint<WebhookEndpoint>(work.organizationId, work.sourceId),
    isSuspended(work.organizationId),
  ]);
  const { body } = delivery ?? {};
  if (delivery?.status !== 'PENDING' || body === undefined || !key.sk.endsWith(delivery.workId)) {
    return 'done';
  }
  const waitMs = Date.parse(delivery.nextAttemptAt ?? delivery.createdAt) - now();
  if (waitMs > 0) {
    return { againInMs: waitMs };
  }
  if (suspended) {
    return { againInMs: suspendedWaitMs };
  }
  const target = delivery.target ?? targetOf(endpoint);
  const attempt: Attempt = target
    ? await send(work, { id: delivery.id, body }, target)
    : { failureReason: 'The webhook was removed or switched off', isFinal: true };
  if (endpoint && target) {
    await (attempt.failureReason
      ? noteFailure(endpoint, attempt.responseStatus)
      : noteSuccess(endpoint));
  }

  return settle(delivery, attempt);
}

async function send(
  work: DeliveryWork,
  { id, body }: { readonly id: string; readonly body: string },
  target: WebhookTarget,
): Promise<Attempt> {
  const secrets = await openWebhookSecrets(work, target);
  const message = { id, timestampSeconds: epochSeconds(), body };
  try {
    const answer = await fetchPublic(target.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'social-leads-webhooks',
        ...signatureHeaders(secrets, message),
      },
      body,
      timeoutMs: config.webhookTimeoutMs,
      maxBytes: maxAnswerBytes,
    });
    // Only the status matters, so the body is discarded.
    answer.body.destroy();

    return outcomeOf(answer.status, answer.headers['retry-after']);
  } catch (failure) {
    if (failure instanceof OutboundError) {
      return { failureReason: failure.message };
    }
    throw failure;
  }
}

function outcomeOf(status: number, retryAfter: string | undefined): Attempt {
  if (status >= 200 && status < 300) {
    return { responseStatus: status };
  }

  return {
    responseStatus: status,
    failureReason: `The endpoint returned ${status}`,
    isFinal: status === goneStatus,
    retryAfterMs: retryAfterMs(retryAfter),
  };
}

/** Parses `Retry-After` (seconds or a date), at most one day. */
function retryAfterMs(value = ''): number | undefined {
  const ms = /^\d+$/.test(value) ? Number(value) * secondMs : Date.parse(value) - now();

  return ms > 0 ? Math.min(ms, maxRetryAfterMs) : undefined;
}

async function settle(delivery: Delivery, attempt: Attempt): Promise<WorkOutcome> {
  const { failureReason, responseStatus, isFinal, retryAfterMs: askedMs = 0 } = attempt;
  const delayMs = isFinal ? undefined : retryDelaysMs[delivery.attempts];
  const outcome = { failureReason: failureReason ?? null, responseStatus: responseStatus ?? null };
  if (!failureReason) {
    await record(delivery, { ...outcome, status: 'DELIVERED', deliveredAt: timestamp() });

    return 'done';
  }
  if (delayMs === undefined) {
    const { organizationId, sourceId, id } = delivery;
    logger.warn('An event was not delivered', { organizationId, sourceId, deliveryId: id });
    await record(delivery, { ...outcome, status: 'FAILED' });

    return 'done';
  }
  const againInMs = Math.max(delayMs, askedMs);
  await record(delivery, { ...outcome, nextAttemptAt: timestamp(againInMs) });

  return { againInMs };
}

/** If two workers make the same attempt, only the first outcome is stored. */
async function record(
  { organizationId, sourceId, id, workId, attempts }: Delivery,
  outcome: Readonly<Record<string, unknown>>,
): Promise<void> {
  await writeIfMet(
    change(webhookKeys.webhookDelivery(organizationId, sourceId, id), {
      set: { nextAttemptAt: null, ...outcome, attempts: attempts + 1 },
      when: allOf(
        equals('workId', workId),
        equals('attempts', attempts),
        equals('status', 'PENDING'),
      ),
    }),
  );
}
