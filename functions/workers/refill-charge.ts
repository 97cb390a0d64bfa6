import { chargeRefill } from '#lib/billing/charge-refill.ts';
import { worker } from '#lib/work/worker.ts';

export const handler = worker('refillCharge', chargeRefill);
