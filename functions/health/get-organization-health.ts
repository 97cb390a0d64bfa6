import { describeOrganizationHealth } from '#lib/health/organization-health.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { getOrganizationHealth } from '#schemas/health.ts';

export const handler = endpoint(getOrganizationHealth, ({ organizationId }) =>
  describeOrganizationHealth(organizationId),
);
