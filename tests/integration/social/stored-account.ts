import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { newAccount } from '#tests/support/accounts.ts';

export async function withAccount(overrides: Partial<SocialAccount> = {}) {
  const owner = await newAccount();
  const account = await storeSocialAccount(owner.organizationId, overrides);

  return { owner, account, params: { account_id: account.id }, token: owner.token };
}
