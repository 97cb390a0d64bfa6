import { requireBilling } from '#lib/features/billing/customer/billing-customer.ts';
import { forecastCredits } from '#lib/features/billing/usage/forecast.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getForecast } from '#schemas/billing.ts';

export const handler = endpoint(getForecast, async ({ organizationId }) => {
  const { balance } = await requireBilling(organizationId);

  return { forecast: await forecastCredits(balance) };
});
