import { storeSocialAccount } from '#tests/support/social-accounts.ts';
import type { Fixtures } from './fixture.ts';
import type { World } from './world.ts';

const anAccount: Fixtures[string] = {
  params: async ({ organizationId, names }: World) => ({
    account_id: (await storeSocialAccount(organizationId, { platformUserName: names[0] ?? '' })).id,
  }),
};

export const socialFixtures: Fixtures = {
  updateSocialAccount: anAccount,
  getSocialAccountStats: anAccount,
};
