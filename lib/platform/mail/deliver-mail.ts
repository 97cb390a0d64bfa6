import { decrypt } from '#lib/platform/crypto/encryption.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import type { Mail } from './mails.ts';
import { mailContext } from './outgoing-mail.ts';
import { sendMail } from './ses.ts';

/** Decrypts a queued mail and sends it, unless it is a decoy. */
export async function deliverMail({ key, payload }: WorkRequest<'mail'>): Promise<'done'> {
  const mail: Mail = JSON.parse(await decrypt(payload, mailContext(key)));
  if (!mail.isDecoy) {
    await sendMail(mail);
  }

  return 'done';
}
