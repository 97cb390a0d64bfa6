import { deliverMail } from '#lib/platform/mail/deliver-mail.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { mailWork } from '#schemas/work-payloads.ts';

export const handler = worker('mail', mailWork, deliverMail);
