import { createHash } from 'node:crypto';
import { requireSignedRequest } from '#lib/features/intake/require-signed-request.ts';
import { dayMs, epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { create, write } from '#lib/platform/db/write.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { MetaPlatform } from '#schemas/platforms.ts';
import { type DataDeletion, findDataDeletion } from './data-deletion.ts';

const retentionDays = 365;

/**
 * Accepts a request to delete a person's data, and schedules the work. A repeated request gets the
 * same code. A new request gets the code of the person's previous request, if that is not done yet.
 *
 * @throws 400 without a request, 401 for a wrong signature or an old request.
 */
export async function requestDataDeletion(platform: MetaPlatform, rawBody: Buffer) {
  const { personId, signature } = await requireSignedRequest(platform, rawBody);
  const ownCode = codeOf(signature);
  const code = await retryWhenOvertaken('request', async () => {
    const [known, open] = await Promise.all([
      findDataDeletion(ownCode),
      get<{ code: string }>(socialKeys.openDataDeletion(platform, personId)),
    ]);
    if (!(known || open)) {
      await startDataDeletion(platform, personId, ownCode);
    }

    return known ? ownCode : (open?.code ?? ownCode);
  });

  return { url: `${config.publicBaseUrl}/data-deletion/${code}`, confirmation_code: code };
}

/** Nobody can derive the code without the request. Meta expects only letters and digits. */
function codeOf(signature: string): string {
  return createHash('sha256').update(signature).digest('hex').slice(0, 32);
}

async function startDataDeletion(
  platform: MetaPlatform,
  personId: string,
  code: string,
): Promise<void> {
  const key = socialKeys.dataDeletion(code);
  const expiresAtSeconds = epochSeconds((retentionDays * dayMs) / 1_000);
  const request: DataDeletion = {
    code,
    platform,
    status: 'PENDING',
    personId,
    createdAt: timestamp(),
    expiresAtSeconds,
  };
  await write(
    create(socialKeys.openDataDeletion(platform, personId), { code, expiresAtSeconds }),
    create(key, request),
    planWork('organizationRemoval', { owner: key, payload: { dataDeletionCode: code } }),
  );
}
