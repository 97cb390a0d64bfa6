import type { Platform } from '#schemas/platforms.ts';
import { connectionBody, storeSocialAccount } from '#tests/support/social-accounts.ts';
import type { Fixtures } from './fixture.ts';
import type { World } from './world.ts';

/** An account whose tokens the network sandbox accepts. */
function anAccountOf(platform: Platform): Fixtures[string] {
  return {
    params: async ({ organizationId, names }: World) => {
      const { platformUserId, accessToken, refreshToken } = await connectionBody({ platform });
      const account = await storeSocialAccount(organizationId, {
        platform,
        platformUserId,
        platformUserName: names[0] ?? '',
        accessToken,
        ...(refreshToken ? { refreshToken } : {}),
      });

      return { account_id: account.id };
    },
  };
}

const anAccount = anAccountOf('FACEBOOK');

export const socialFixtures: Fixtures = {
  connectSocialAccount: {
    body: ({ names }) =>
      connectionBody({
        body: {
          platformUserName: names[0],
          refreshToken: null,
          expiresIn: null,
          businessToken: null,
        },
      }),
  },
  // Only TikTok has business tokens.
  updateSocialAccount: { ...anAccount, body: async () => ({ businessToken: undefined }) },
  disconnectSocialAccount: anAccount,
  validateSocialAccountToken: anAccount,
  listSocialAccountPages: anAccount,
  getTokenHealth: anAccount,
  syncSocialAccount: anAccount,
  getSocialAccountStats: anAccount,
  refreshSocialAccountToken: anAccountOf('INSTAGRAM'),
};
