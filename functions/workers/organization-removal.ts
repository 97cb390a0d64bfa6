import { removeOrganization } from '#lib/features/organization-lifecycle/removal.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { organizationRemovalWork } from '#schemas/work-payloads.ts';

export const handler = worker('organizationRemoval', organizationRemovalWork, removeOrganization);
