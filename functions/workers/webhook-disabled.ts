import { mailDisabledWebhook } from '#lib/features/organizations/webhooks/mail-disabled.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { webhookDisabledWork } from '#schemas/work-payloads.ts';

export const handler = worker('webhookDisabled', webhookDisabledWork, mailDisabledWebhook);
