import { updateSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { presentAccount } from '#lib/features/social/accounts/messaging-state.ts';
import { connectMessaging } from '#lib/features/social/connection/messaging-credential.ts';
import { forbidden } from '#lib/platform/errors/failures.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { ranksAtLeast } from '#schemas/contract.ts';
import * as contracts from '#schemas/social.ts';

export const handler = endpoint(
  contracts.updateSocialAccount,
  async ({ organizationId, role, caller, params, body }) => {
    const { businessToken, ...patch } = body;
    const accountId = params.account_id;
    if (businessToken) {
      if (!ranksAtLeast(role, 'ADMIN')) {
        throw forbidden();
      }
      await connectMessaging(organizationId, caller.userId, accountId, businessToken);
    }
    const account = await updateSocialAccount(organizationId, caller.userId, accountId, patch);

    return { socialAccount: presentAccount(account) };
  },
);
