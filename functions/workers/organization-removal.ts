import { removeOrganization } from '#lib/organizations/removal.ts';
import { worker } from '#lib/work/worker.ts';

export const handler = worker('organizationRemoval', removeOrganization);
