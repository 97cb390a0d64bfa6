import type { Write } from '#lib/platform/db/write.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import type { SocialAccount } from './accounts.ts';
import { presentAccount } from './messaging-state.ts';

/** Plans an event about access to an account, without its tokens. */
export function planAccountStateEvent(
  type: 'account.connected' | 'account.inactive',
  account: SocialAccount,
): Promise<readonly Write[]> {
  const { accessToken: _, refreshToken: __, ...socialAccount } = presentAccount(account);

  return planOrganizationEvent(account.organizationId, {
    type,
    data: { socialAccountId: account.id, socialAccount },
  });
}
