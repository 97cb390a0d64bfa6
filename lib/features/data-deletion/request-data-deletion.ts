import { randomBytes } from 'node:crypto';
import { requireSignedRequest } from '#lib/features/social/intake/require-signed-request.ts';
import { dayMs, epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { create, write } from '#lib/platform/db/write.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { MetaPlatform } from '#schemas/platforms.ts';
import type { DataDeletion } from './data-deletion.ts';

const retentionDays = 365;

/**
 * Accepts a request to delete a person's data, and schedules the work. A repeated request gets
 * another code, and finds nothing left to erase.
 *
 * @throws 400 without a request, 401 for a wrong signature.
 */
export async function requestDataDeletion(platform: MetaPlatform, rawBody: Buffer) {
  const { personId } = await requireSignedRequest(platform, rawBody);
  // Meta expects letters and digits only.
  const code = randomBytes(16).toString('hex');
  const key = keys.dataDeletion(code);
  const request: DataDeletion = {
    code,
    platform,
    status: 'PENDING',
    personId,
    createdAt: timestamp(),
    expiresAtSeconds: epochSeconds((retentionDays * dayMs) / 1_000),
  };
  await write(
    create(key, request),
    planWork('organizationRemoval', { owner: key, payload: { dataDeletionCode: code } }),
  );

  return { url: `${config.publicBaseUrl}/data-deletion/${code}`, confirmation_code: code };
}
