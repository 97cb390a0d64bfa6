import { planUserToken, type TokenPurpose } from '#lib/features/accounts/user-tokens.ts';
import { write } from '#lib/platform/db/write.ts';
import { freshEmail, password } from '#tests/support/accounts.ts';
import type { Fixtures } from './fixture.ts';
import { newSession, type World } from './world.ts';

async function mailedToken(purpose: TokenPurpose, { people }: World): Promise<string> {
  const planned = planUserToken(purpose, people.OWNER);
  await write(planned.write);

  return planned.token;
}

export const authFixtures: Fixtures = {
  signUp: { body: async () => ({ email: freshEmail(), invitationToken: null }) },
  logIn: { body: async ({ people }) => ({ email: people.OWNER.email, password }) },
  updateMe: { body: async () => ({ email: freshEmail() }) },
  switchOrganization: { body: async ({ organizationId }) => ({ organizationId }) },
  forgotPassword: { body: async ({ people }) => ({ email: people.OWNER.email }) },
  resetPassword: { body: async (world) => ({ token: await mailedToken('passwordReset', world) }) },
  changePassword: { body: async () => ({ currentPassword: password }) },
  verifyEmail: {
    body: async (world) => ({ token: await mailedToken('emailVerification', world) }),
  },
  revokeSession: {
    params: async ({ organizationId, people }) => ({
      session_id: (await newSession(people.OWNER.userId, organizationId)).sessionId,
    }),
  },
};
