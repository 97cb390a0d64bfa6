import { planUserToken, type TokenPurpose } from '#lib/features/accounts/user-tokens.ts';
import { epochSeconds } from '#lib/platform/clock.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, put, write } from '#lib/platform/db/write.ts';
import { freshEmail, password } from '#tests/support/accounts.ts';
import type { Fixtures } from './fixture.ts';
import { newSession, type World } from './world.ts';

async function mailedToken(purpose: TokenPurpose, { people }: World): Promise<string> {
  const planned = planUserToken(purpose, people.OWNER);
  await write(planned.write);

  return planned.token;
}

/** Changes the owner's address in the table, as `PATCH /auth/me` does. */
async function revertToken({ people }: World): Promise<string> {
  const { userId, email } = people.OWNER;
  const revert = planUserToken('emailRevert', { userId, email, changesBefore: 0 });
  const tokenHash = hashToken(revert.token);
  await write(
    revert.write,
    put(keys.formerEmail(userId, 0), { tokenHash, expiresAtSeconds: epochSeconds(3600) }),
    change(keys.user(userId), { set: { emailChanges: 1 } }),
  );

  return revert.token;
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
  revertEmail: { body: async (world) => ({ token: await revertToken(world) }) },
  revokeSession: {
    params: async ({ organizationId, people }) => ({
      session_id: (await newSession(people.OWNER.userId, organizationId)).sessionId,
    }),
  },
};
