import { removeActivities } from '#lib/features/leads/activities.ts';
import { worker } from '#lib/platform/work/worker.ts';

export const handler = worker('leadRemoval', removeActivities);
