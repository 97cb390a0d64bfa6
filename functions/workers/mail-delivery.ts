import { deliverMail } from '#lib/mail/deliver-mail.ts';
import { worker } from '#lib/work/worker.ts';

export const handler = worker('mail', deliverMail);
