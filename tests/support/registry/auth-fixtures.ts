import { planUserToken, type TokenPurpose } from '#lib/features/accounts/user-tokens.ts';
import { epochSeconds } from '#lib/platform/clock.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, put, write } from '#lib/platform/db/write.ts';
import { freshEmail, password } from '#tests/support/accounts.ts';
import { sandbox } from '#tests/support/mails.ts';
import { codeOf, plantSetup, plantTwoFactor } from '#tests/support/two-factor.ts';
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

/** A person who has verified their address here, as Google has. */
async function googleToken({ people }: World): Promise<string> {
  const { userId, email } = people.OWNER;
  await write(change(keys.user(userId), { set: { emailVerified: true } }));

  return sandbox.issueGoogleIdToken({ email });
}

async function secondFactor({ people }: World) {
  const challenge = planUserToken('secondFactor', people.ADMIN);
  await write(challenge.write);
  const { recoveryCodes } = await plantTwoFactor(people.ADMIN.userId);

  return { challengeToken: challenge.token, code: recoveryCodes[0] };
}

export const authFixtures: Fixtures = {
  signInWithGoogle: {
    body: async (world) => ({ idToken: await googleToken(world), invitationToken: null }),
  },
  logInWithTwoFactor: { body: secondFactor },
  setUpTwoFactor: { as: 'MEMBER' },
  enableTwoFactor: {
    as: 'MEMBER',
    body: async ({ people }) => ({ code: codeOf(await plantSetup(people.MEMBER.userId)) }),
  },
  disableTwoFactor: {
    as: 'ADMIN',
    body: async ({ people }) => {
      const { recoveryCodes } = await plantTwoFactor(people.ADMIN.userId);

      return { password, code: recoveryCodes[0] };
    },
  },
  deleteMe: { as: 'VIEWER', body: async () => ({ password }) },
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
