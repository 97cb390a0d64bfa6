import { describeOrganizationHealth } from '#lib/features/health/organization/organization-health.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getOrganizationHealth } from '#schemas/health.ts';

export const handler = endpoint(getOrganizationHealth, ({ organizationId }) =>
  describeOrganizationHealth(organizationId),
);
