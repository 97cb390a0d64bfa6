import { removeActivities } from '#lib/features/leads/activities.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { leadRemovalWork } from '#schemas/work-payloads.ts';

export const handler = worker('leadRemoval', leadRemovalWork, removeActivities);
