import * as auth from '#schemas/auth.ts';
import { callOf, type Scene, signedInCall } from './scene.ts';
import { newSignUp, password } from './world.ts';

const newPassword = 'another horse battery';

export const authScenes: Readonly<Record<string, Scene>> = {
  'sign-up': callOf(auth.signUp, () => ({ body: newSignUp() })),
  'log-in': callOf(auth.logIn, async (world) => {
    const { email } = await world.newAccount();

    return { body: { email, password } };
  }),
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
