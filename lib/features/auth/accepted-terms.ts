import { timestamp } from '#lib/platform/clock.ts';
import { userKeys, userRanges } from '#lib/platform/db/keys/users.ts';
import { query } from '#lib/platform/db/read.ts';
import { create, type Write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import type { Origin } from './sessions.ts';

const termsVersion = '1.0';

type AcceptedTerms = {
  readonly id: string;
  readonly type: 'TERMS_OF_SERVICE';
  readonly version: string;
  readonly acceptedAt: string;
  readonly ipAddress: string;
  readonly userAgent: string;
};

/** Records that a new user accepts the terms of service. */
export function planAcceptedTerms(userId: string, { clientIp, userAgent }: Origin): Write {
  const accepted: AcceptedTerms = {
    id: newId(),
    type: 'TERMS_OF_SERVICE',
    version: termsVersion,
    acceptedAt: timestamp(),
    ipAddress: clientIp,
    userAgent,
  };

  return create(userKeys.consent(userId, accepted.id), accepted);
}

/** Returns the terms that the user accepted, newest first. */
export function listAcceptedTerms(userId: string): Promise<readonly AcceptedTerms[]> {
  return query<AcceptedTerms>(userRanges.consents(userId), { newestFirst: true });
}
