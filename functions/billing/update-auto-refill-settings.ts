import { saveAutoRefill } from '#lib/features/billing/refills/save-auto-refill.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { updateAutoRefillSettings } from '#schemas/billing.ts';

export const handler = endpoint(
  updateAutoRefillSettings,
  async ({ organizationId, caller, body, idempotently }) => ({
    autoRefill: await idempotently((extraWrites) =>
      saveAutoRefill(organizationId, caller.userId, body, extraWrites),
    ),
  }),
);
