import { reconcilePayments } from '#lib/features/billing/payments/reconcile-payments.ts';
import { job } from '#lib/platform/work/job.ts';

/** Every five minutes. */
export const handler = job('paymentReconcile', () => reconcilePayments());
