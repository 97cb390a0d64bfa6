import { Secret, TOTP } from 'otpauth';
import { now } from '#lib/platform/clock.ts';
import * as auth from '#schemas/auth.ts';
import { callOf, type Scene, signedInCall } from './scene.ts';
import { type Account, newEmail, newSignUp, password, type World } from './world.ts';

const newPassword = 'another horse battery';

function codeOf(secret: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now() });
}

/** Turns two-factor authentication on, and returns a code that is still unused. */
async function protect(world: World, { token }: Account): Promise<string> {
  const { secret } = await world.call(auth.setUpTwoFactor, { token, body: {} });
  const body = { code: codeOf(secret) };
  const { recoveryCodes } = await world.call(auth.enableTwoFactor, { token, body });

  return recoveryCodes[0];
}

export const authScenes: Readonly<Record<string, Scene>> = {
  'sign-up': callOf(auth.signUp, () => ({ body: newSignUp() })),
  'log-in': callOf(auth.logIn, async (world) => {
    const { email } = await world.newAccount();

    return { body: { email, password } };
  }),
  'sign-in-with-google': callOf(auth.signInWithGoogle, async ({ sandbox, call }) => {
    const idToken = await sandbox.issueGoogleIdToken({ email: newEmail() });
    const { organizationName, paymentMethodId } = newSignUp();
    await call(auth.signInWithGoogle, { body: { idToken, organizationName, paymentMethodId } });

    return { body: { idToken } };
  }),
  'log-in-with-two-factor': callOf(auth.logInWithTwoFactor, async (world) => {
    const account = await world.newAccount();
    const code = await protect(world, account);
    const { email } = account;
    const challengeToken = await world.challengeOf(email);

    return { body: { challengeToken, code } };
  }),
  'set-up-two-factor': signedInCall(auth.setUpTwoFactor, {}),
  'enable-two-factor': callOf(auth.enableTwoFactor, async (world) => {
    const { token } = await world.newAccount();
    const { secret } = await world.call(auth.setUpTwoFactor, { token, body: {} });

    return { token, body: { code: codeOf(secret) } };
  }),
  'disable-two-factor': callOf(auth.disableTwoFactor, async (world) => {
    const account = await world.newAccount();

    return { token: account.token, body: { password, code: await protect(world, account) } };
  }),
  'delete-me': signedInCall(auth.deleteMe, { password }),
  'get-me': signedInCall(auth.getMe),
  'update-me': signedInCall(auth.updateMe, { nickname: 'ada' }),
  'log-out': signedInCall(auth.logOut, {}),
  'create-setup-intent': signedInCall(auth.createSetupIntent, {}),
  'list-consents': signedInCall(auth.listConsents),
  'debug-iframe': callOf(auth.debugIframe, () => ({})),
  'switch-organization': callOf(auth.switchOrganization, async (world) => {
    const owner = await world.newAccount();
    const { token } = await world.newMember(owner);

    return { token, body: { organizationId: owner.organizationId } };
  }),
  'forgot-password': callOf(auth.forgotPassword, async (world) => {
    const { email } = await world.newAccount();

    return { body: { email } };
  }),
  'reset-password': callOf(auth.resetPassword, async (world) => {
    const { email } = await world.newAccount();
    await world.call(auth.forgotPassword, { body: { email } });

    return { body: { token: await world.tokenMailedTo(email), newPassword } };
  }),
  'change-password': signedInCall(auth.changePassword, { currentPassword: password, newPassword }),
  'revert-email': callOf(auth.revertEmail, async (world) => {
    const { email, token } = await world.newAccount();
    await world.call(auth.updateMe, { token, body: { email: `new-${email}` } });

    return { body: { token: await world.tokenMailedTo(email) } };
  }),
  'verify-email': callOf(auth.verifyEmail, async (world) => {
    const { email, token } = await world.newAccount();
    await world.call(auth.requestEmailVerification, { token, body: {} });

    return { body: { token: await world.tokenMailedTo(email) } };
  }),
  'request-email-verification': signedInCall(auth.requestEmailVerification, {}),
  'list-sessions': signedInCall(auth.listSessions),
  'revoke-session': callOf(auth.revokeSession, async (world) => {
    const account = await world.newAccount();
    const token = await world.secondToken(account);
    const { sessions } = await world.call(auth.listSessions, { token });
    const [other] = sessions.filter(({ current }: { readonly current: boolean }) => !current);

    return { token, params: { session_id: other.id } };
  }),
};
