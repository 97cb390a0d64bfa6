import { handlePaymentEvent } from '#lib/features/billing/events/handle-payment-event.ts';
import { worker } from '#lib/platform/work/worker.ts';

export const handler = worker('paymentEvent', handlePaymentEvent);
