import { reconcilePayments } from '#lib/features/billing/payments/reconcile-payments.ts';

/** Every five minutes. */
export function handler(): Promise<{ readonly settled: number; readonly open: number }> {
  return reconcilePayments();
}
