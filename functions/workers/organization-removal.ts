import { removeOrganization } from '#lib/features/organization-lifecycle/removal.ts';
import { worker } from '#lib/platform/work/worker.ts';

export const handler = worker('organizationRemoval', removeOrganization);
