import { requireBillingAccount } from '#lib/features/billing/account/billing-account.ts';
import { makeUsageReport } from '#lib/features/billing/usage/usage-report.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createUsageReport } from '#schemas/billing.ts';

export const handler = endpoint(createUsageReport, async ({ organizationId, body, intent }) => {
  await requireBillingAccount(organizationId);
  const { reportUrl, expiresAt } = await makeUsageReport(organizationId, intent.id, body);

  return { reportUrl, expiresAt };
});
