import { contextOf, encrypt } from '#lib/platform/crypto/encryption.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { systemKeys } from '#lib/platform/db/keys/system.ts';
import type { Write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { Mail } from './mails.ts';

/** Encryption context that binds a mail to its outbox item, so that items cannot be swapped. */
export function mailContext(key: Key) {
  return contextOf(key, 'payload');
}

/** An item whose text a mail quotes, with a version that changes together with the text. */
export type QuotedSource = {
  readonly item: Key;
  readonly attribute: string;
  readonly value: number | undefined;
};

/** The sources of a mail's text. If one has changed, a replacement mail is sent instead. */
export type Quote = { readonly sources: readonly QuotedSource[]; readonly instead: Mail };

export type QueuedMail = Mail & { readonly quote?: Quote | undefined };

/**
 * Plans a mail that is sent after the surrounding transaction commits. The mail is encrypted at
 * rest, because it may contain a token that is otherwise stored only as a hash.
 *
 * Delivery is at least once. SES has no idempotency key, so a crash after SES accepts the mail
 * sends it again. Links in a mail still work only once.
 */
export async function planMail(owner: Key, mail: QueuedMail): Promise<Write> {
  const workId = newId();
  const context = mailContext(systemKeys.outbox(owner, 'mail', workId));

  return planWork('mail', {
    owner,
    workId,
    payload: await encrypt(JSON.stringify(mail), context),
  });
}
