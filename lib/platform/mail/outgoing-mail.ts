import { encrypt } from '#lib/platform/crypto/encryption.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { newId } from '#lib/platform/ids.ts';
import { planWork, type Work } from '#lib/platform/work/outbox.ts';
import type { Mail } from './mails.ts';

/** Encryption context of a queued e-mail: it cannot be moved to another outbox item. */
export function mailContext({ pk, sk }: Key) {
  return [pk, sk, 'payload'] as const;
}

/**
 * Queues an e-mail that is sent after its transaction commits. The queued e-mail is encrypted,
 * because it may contain a token that is stored only as a hash elsewhere.
 *
 * Delivery is at least once: SES has no idempotency key, so a crash right after sending sends the
 * e-mail twice. Links in it still work only once.
 */
export async function planMail(owner: Key, mail: Mail): Promise<Work> {
  const workId = newId();
  const context = mailContext(keys.outbox(owner, 'mail', workId));

  return planWork('mail', {
    owner,
    workId,
    payload: await encrypt(JSON.stringify(mail), context),
  });
}
