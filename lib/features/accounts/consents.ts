import { timestamp } from '#lib/platform/clock.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { create, type Write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import type { Origin } from './sessions.ts';

const termsVersion = '1.0';

type Consent = {
  readonly id: string;
  readonly type: 'TERMS_OF_SERVICE';
  readonly version: string;
  readonly acceptedAt: string;
  readonly ipAddress: string;
  readonly userAgent: string;
};

/** Records the consent to the terms of service given at signup. */
export function planConsent(userId: string, { clientIp, userAgent }: Origin): Write {
  const consent: Consent = {
    id: newId(),
    type: 'TERMS_OF_SERVICE',
    version: termsVersion,
    acceptedAt: timestamp(),
    ipAddress: clientIp,
    userAgent,
  };

  return create(keys.consent(userId, consent.id), consent);
}

/** Returns the user's consents, newest first. */
export function listConsents(userId: string): Promise<readonly Consent[]> {
  return query<Consent>(ranges.consents(userId), { newestFirst: true });
}
