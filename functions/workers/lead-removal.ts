import { removeActivities } from '#lib/leads/activities.ts';
import { worker } from '#lib/work/worker.ts';

export const handler = worker('leadRemoval', removeActivities);
