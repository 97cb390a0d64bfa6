import { findNextSlot } from '#lib/features/content/slots/next-slot.ts';
import { requireSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getNextPostingSlot } from '#schemas/content-slots.ts';

export const handler = endpoint(getNextPostingSlot, async ({ organizationId, query }) => {
  const { socialAccountId } = query;
  const [at] = await Promise.all([
    findNextSlot(organizationId, socialAccountId),
    requireSocialAccount(organizationId, socialAccountId),
  ]);

  return { slot: at === undefined ? null : { at, socialAccountId } };
});
