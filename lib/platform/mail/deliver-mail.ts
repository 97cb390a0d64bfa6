import { decrypt } from '#lib/platform/crypto/encryption.ts';
import { getMany } from '#lib/platform/db/read.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import { mailContext, type QueuedMail, type Quote } from './outgoing-mail.ts';
import { sendMail } from './ses.ts';

/** Decrypts a queued mail and sends it, unless it is a decoy. */
export async function deliverMail({ key, payload }: WorkRequest<'mail'>): Promise<'done'> {
  const mail: QueuedMail = JSON.parse(await decrypt(payload, mailContext(key)));
  const { quote } = mail;
  if (!mail.isDecoy) {
    await sendMail(quote && (await isOutdated(quote)) ? quote.instead : mail);
  }

  return 'done';
}

async function isOutdated({ sources }: Quote): Promise<boolean> {
  const stored = await getMany<Readonly<Record<string, unknown>>>(sources.map(({ item }) => item));

  return sources.some(({ attribute, value }, index) => {
    const item = stored[index];

    return !item || item[attribute] !== value;
  });
}
