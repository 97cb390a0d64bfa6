import { encrypt } from '#lib/platform/crypto/encryption.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { keys } from '#lib/platform/db/keys.ts';
import type { Write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { Mail } from './mails.ts';

/** What a waiting mail is encrypted for: another outbox item cannot take its place. */
export function mailContext({ pk, sk }: Key) {
  return [pk, sk, 'payload'] as const;
}

/**
 * A mail that goes out once the change that it tells of has been written. It waits encrypted, as
 * it may hold a token whose hash alone is stored elsewhere.
 *
 * A mail is sent at least once: SES has no idempotency key, so that a crash between its answer and
 * ours sends it a second time. A link in it works once all the same.
 */
export async function planMail(owner: Key, mail: Mail): Promise<Write> {
  const workId = newId();
  const context = mailContext(keys.outbox(owner, 'mail', workId));

  return planWork('mail', {
    owner,
    workId,
    payload: await encrypt(JSON.stringify(mail), context),
  });
}
