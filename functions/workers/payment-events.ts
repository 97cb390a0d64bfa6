import { handlePaymentEvent } from '#lib/billing/handle-payment-event.ts';
import { worker } from '#lib/work/worker.ts';

export const handler = worker('paymentEvent', handlePaymentEvent);
