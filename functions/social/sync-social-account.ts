import { syncAccount } from '#lib/features/social/metrics/sync-account.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { syncSocialAccount } from '#schemas/social.ts';

export const handler = endpoint(syncSocialAccount, async ({ organizationId, params, body }) => ({
  syncResult: await syncAccount(organizationId, params.account_id, body),
}));
