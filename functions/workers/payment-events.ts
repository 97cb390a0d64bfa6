import { handlePaymentEvent } from '#lib/features/billing/events/handle-payment-event.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { paymentEventWork } from '#schemas/payment-event.ts';

export const handler = worker('paymentEvent', paymentEventWork, handlePaymentEvent);
