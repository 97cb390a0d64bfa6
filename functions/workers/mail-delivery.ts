import { deliverMail } from '#lib/mail/outgoing-mail.ts';
import { worker } from '#lib/work/worker.ts';

export const handler = worker('mail', deliverMail);
