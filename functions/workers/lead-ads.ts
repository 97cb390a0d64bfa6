import { takeLeadAd } from '#lib/features/leads/lead-ads/take-lead-ad.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { leadAdWork } from '#schemas/work-payloads.ts';

export const handler = worker('leadAd', leadAdWork, takeLeadAd);
