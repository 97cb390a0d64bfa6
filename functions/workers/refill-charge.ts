import { chargeRefill } from '#lib/features/billing/refills/charge-refill.ts';
import { worker } from '#lib/platform/work/worker.ts';

export const handler = worker('refillCharge', chargeRefill);
