import { decrypt } from '#lib/platform/crypto/encryption.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import type { Mail } from './mails.ts';
import { mailContext } from './outgoing-mail.ts';
import { sendMail } from './ses.ts';

/** Sends the e-mail of a work item. */
export async function deliverMail({ key, payload }: WorkRequest): Promise<'done'> {
  const mail: Mail = JSON.parse(await decrypt(payload, mailContext(key)));
  await sendMail(mail);

  return 'done';
}
