import { chargeRefill } from '#lib/features/billing/refills/charge-refill.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { refillChargeWork } from '#schemas/work-payloads.ts';

export const handler = worker('refillCharge', refillChargeWork, chargeRefill);
