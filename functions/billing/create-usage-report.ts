import { requireBillingCustomer } from '#lib/features/billing/customer/billing-customer.ts';
import { makeUsageReport, reportProblems } from '#lib/features/billing/usage/usage-report.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createUsageReport } from '#schemas/billing.ts';

export const handler = endpoint(
  createUsageReport,
  async ({ organizationId, body, intent }) => {
    await requireBillingCustomer(organizationId);
    const { reportUrl, expiresAt } = await makeUsageReport(organizationId, intent.id, body);

    return { reportUrl, expiresAt };
  },
  { rules: ({ body }) => reportProblems(body) },
);
