import { deliverMail } from '#lib/platform/mail/deliver-mail.ts';
import { worker } from '#lib/platform/work/worker.ts';

export const handler = worker('mail', deliverMail);
