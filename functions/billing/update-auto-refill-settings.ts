import { saveAutoRefill } from '#lib/billing/auto-refill-settings.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { updateAutoRefillSettings } from '#schemas/billing.ts';

export const handler = endpoint(
  updateAutoRefillSettings,
  async ({ organizationId, caller, body, once }) => {
    await once((alongside) => saveAutoRefill(organizationId, caller.userId, body, alongside));

    return {
      autoRefill: { ...body, monthlyCap: body.monthlyCap ?? null },
      message: 'Auto-refill settings updated successfully',
    };
  },
);
