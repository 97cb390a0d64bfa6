import { contextOf, encrypt } from '#lib/platform/crypto/encryption.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import type { Write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { Mail } from './mails.ts';

/** Encryption context that binds a mail to its outbox item, so that items cannot be swapped. */
export function mailContext(key: Key) {
  return contextOf(key, 'payload');
}

/** An item whose words a mail repeats, with a number that changes when they do. */
export type QuotedSource = {
  readonly item: Key;
  readonly attribute: string;
  readonly value: number | undefined;
};

/** A source of a mail's text. If it has changed since, another mail is sent instead. */
export type Quote = { readonly sources: readonly QuotedSource[]; readonly instead: Mail };

export type QueuedMail = Mail & { readonly quote?: Quote | undefined };

/**
 * Plans a mail that is sent after the surrounding transaction commits. It is encrypted at rest: it
 * may contain a token of which only the hash is stored elsewhere.
 *
 * Delivery is at least once. SES has no idempotency key, so a crash after SES accepts the mail sends
 * it again. Links in a mail still work only once.
 */
export async function planMail(owner: Key, mail: QueuedMail): Promise<Write> {
  const workId = newId();
  const context = mailContext(keys.outbox(owner, 'mail', workId));

  return planWork('mail', {
    owner,
    workId,
    payload: await encrypt(JSON.stringify(mail), context),
  });
}
