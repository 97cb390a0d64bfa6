import { endpoint } from '#lib/http/endpoint.ts';
import { syncAccount } from '#lib/social/figures/sync-account.ts';
import { syncSocialAccount } from '#schemas/social.ts';

export const handler = endpoint(syncSocialAccount, async ({ organizationId, params, body }) => ({
  syncResult: await syncAccount(organizationId, params.account_id, body),
  message: 'Social account synced successfully',
}));
