import {
  email,
  emptyBody,
  id,
  maxLength,
  name,
  optional,
  orNull,
  role,
  text,
  timestamp,
  timezone,
  total,
} from './common.ts';
import {
  contract,
  fullProcessorMb,
  openToAll,
  signedInAnywhere,
  signedInPerson,
} from './contract.ts';
import {
  authToken,
  firstName,
  idToken,
  lastName,
  newPassword,
  newUser,
  passwordForm,
  userSummary,
} from './new-user.ts';
import * as z from './zod.ts';

const organizationId = id('0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b');
const sessionId = id('0192f0c1-7b5c-7b22-9d55-6e7f8091a2b3');
const nickname = name({ example: 'ada' });
const avatar = orNull(z.string().meta({ example: null }));
/** A password that is only compared, so only its presence is validated. */
const givenPassword = text({
  form: passwordForm,
  min: 1,
  max: 1_000,
  example: 'correct horse battery',
});
const timezoneOrUtc = timezone.default('UTC');
const code = text({
  min: 1,
  max: 100,
  example: '123456',
});
const codeOrRecoveryCode = code.meta({
  example: '123456',
  description: 'A code from the authenticator app, or a recovery code',
});
const oneTimeToken = text({ min: 1, max: maxLength.token, example: 'q1w2e3r4t5y6u7i8o9p0' });

const membership = z
  .object({
    id: organizationId,
    name: z.string().meta({ example: 'Analytical Engines' }),
    role,
    joinedAt: timestamp(),
  })
  .meta({ id: 'Membership' });

const user = userSummary.extend({
  nickname: orNull(nickname),
  avatar,
  emailVerified: z.boolean().meta({ example: false }),
  twoFactorEnabled: z.boolean().meta({ example: false }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  organizations: z.array(membership),
  currentOrganization: orNull(membership.pick({ id: true, name: true, role: true })),
});

const signedUp = z.object({
  user: newUser,
  organization: z.object({
    id: organizationId,
    name: z.string().meta({ example: 'Analytical Engines' }),
    createdAt: timestamp(),
  }),
  authToken,
});

const signedIn = z.object({
  user: userSummary.extend({ avatar }).meta({ id: 'SignedInUser' }),
  organizations: z.array(membership),
  authToken,
});

const signupFields = {
  organizationName: name({ min: 2, example: 'Analytical Engines' }),
  paymentMethodId: text({ min: 1, max: 255, example: 'pm_card_visa' }),
  invitationToken: optional(oneTimeToken).meta({ example: null }),
};

const signedUpMessage = 'User registered successfully';
const signedInMessage = 'Login successful';

export const signUp = contract({
  operationId: 'signUp',
  method: 'POST',
  path: '/auth/signup',
  specified: true,
  memoryMb: fullProcessorMb,
  role: 'sender',
  summary: 'Register a user and an organization',
  description:
    'The user becomes the OWNER of the organization, and its billing is set up. A failed signup leaves no data here or at the payment provider, and you can retry it unchanged. Sets the auth cookie.',
  access: openToAll,
  rateLimit: 'signup',
  body: z.object({
    email,
    password: newPassword,
    firstName,
    lastName,
    timezone: timezoneOrUtc,
    ...signupFields,
  }),
  status: 201,
  response: signedUp,
  message: signedUpMessage,
  errors: ['CARD_REFUSED', 'ORGANIZATION_SUSPENDED', 'EMAIL_TAKEN', 'PAYMENT_SERVICE_UNAVAILABLE'],
});

export const logIn = contract({
  operationId: 'logIn',
  method: 'POST',
  path: '/auth/login',
  specified: true,
  memoryMb: fullProcessorMb,
  summary: 'Sign in with email and password',
  description:
    'Sets the auth cookie. Returns the same error for an unknown email address and a wrong password. After five failed attempts within 15 minutes, the email address is locked until the window ends or its password is reset. A browser that has signed in before has its own counter.',
  access: openToAll,
  countedInHandler: ['loginAddress', 'loginDevice', 'loginIp'],
  idempotent: false,
  body: z.object({ email, password: givenPassword }),
  response: signedIn,
  message: signedInMessage,
  errors: ['CREDENTIALS_INVALID', 'TWO_FACTOR_REQUIRED'],
});

export const signInWithGoogle = contract({
  operationId: 'signInWithGoogle',
  method: 'POST',
  path: '/auth/google',
  memoryMb: fullProcessorMb,
  role: 'sender',
  summary: 'Sign in or sign up with Google',
  description:
    'Signs in the user that the Google account is linked to. If there is none, links it to the user with the same address, if that is verified here, too. The first link ends all other sessions, and removes the password, API keys and revert links, in case somebody else signed up with the address; a reset link sets a new password. For a new address, registers a user and an organization (201), which needs the fields of a signup: `organizationName` and `paymentMethodId`, optionally `timezone` (default: UTC) and `invitationToken`. Sets the auth cookie.',
  access: openToAll,
  countedInHandler: ['loginIp', 'signup'],
  idempotent: false,
  body: z.object({
    idToken,
    organizationName: optional(signupFields.organizationName),
    timezone: optional(timezone),
    paymentMethodId: optional(signupFields.paymentMethodId),
    invitationToken: signupFields.invitationToken,
  }),
  response: signedIn,
  message: signedInMessage,
  created: { response: signedUp, message: signedUpMessage },
  errors: [
    'ORGANIZATION_SUSPENDED',
    'CARD_REFUSED',
    'GOOGLE_TOKEN_INVALID',
    'TWO_FACTOR_REQUIRED',
    'SIGNUP_REQUIRED',
    {
      code: 'ACCOUNT_EXISTS',
      when: 'A user has this address and has not verified it, or uses another Google account.',
    },
    'EMAIL_TAKEN',
    'OVERTAKEN',
    'PAYMENT_SERVICE_UNAVAILABLE',
    'GOOGLE_UNAVAILABLE',
  ],
});

export const logInWithTwoFactor = contract({
  operationId: 'logInWithTwoFactor',
  method: 'POST',
  path: '/auth/login/two-factor',
  role: 'sender',
  summary: 'Complete a sign-in with a two-factor code',
  description:
    'A challenge token works once and expires after five minutes or five wrong codes. Wrong codes count as failed sign-ins of the email address. Sets the auth cookie.',
  access: openToAll,
  countedInHandler: ['loginAddress', 'loginDevice', 'loginIp'],
  idempotent: false,
  body: z.object({ challengeToken: oneTimeToken, code: codeOrRecoveryCode }),
  response: signedIn,
  message: signedInMessage,
  errors: ['TWO_FACTOR_CODE_INVALID', 'CHALLENGE_TOKEN_INVALID'],
});

export const setUpTwoFactor = contract({
  operationId: 'setUpTwoFactor',
  method: 'POST',
  path: '/auth/two-factor/setup',
  summary: 'Create a secret for two-factor authentication',
  description:
    'Replaces the secret of an unfinished setup. Signing in requires a code only after the setup is completed with `POST /auth/two-factor/enable`.',
  access: signedInPerson,
  body: emptyBody,
  response: z.object({
    secret: z.string().meta({ example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
    otpauthUrl: z.string().meta({
      example:
        'otpauth://totp/Social%20Leads:ada%40example.com?issuer=Social%20Leads&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
    }),
    qrSvg: z.string().meta({ example: '<svg xmlns="http://www.w3.org/2000/svg"></svg>' }),
  }),
  message: 'Scan the QR code with an authenticator app, then confirm with a code',
  errors: ['TWO_FACTOR_UNAVAILABLE', 'WRONG_STATE'],
});

export const enableTwoFactor = contract({
  operationId: 'enableTwoFactor',
  method: 'POST',
  path: '/auth/two-factor/enable',
  role: 'sender',
  summary: 'Turn two-factor authentication on',
  description: 'Returns ten recovery codes, which are shown only here. Each works once.',
  access: signedInPerson,
  body: z.object({ code }),
  response: z.object({
    recoveryCodes: z.array(z.string()).meta({ example: ['7Q2M-4KXT-9B3N-W8PA-V5HC-6RZD'] }),
  }),
  message: 'Two-factor authentication enabled successfully',
  errors: ['WRONG_STATE', 'OVERTAKEN'],
});

export const disableTwoFactor = contract({
  operationId: 'disableTwoFactor',
  method: 'POST',
  path: '/auth/two-factor/disable',
  memoryMb: fullProcessorMb,
  role: 'sender',
  summary: 'Turn two-factor authentication off',
  access: signedInPerson,
  countedInHandler: ['passwordChange'],
  body: z.object({ password: givenPassword, code: codeOrRecoveryCode }),
  message: 'Two-factor authentication disabled successfully',
  errors: ['CREDENTIALS_INVALID', 'WRONG_STATE'],
});

export const getMe = contract({
  operationId: 'getMe',
  path: '/auth/me',
  specified: true,
  summary: 'Get the signed-in user',
  access: signedInAnywhere,
  response: z.object({ user }),
  message: 'User retrieved successfully',
});

export const updateMe = contract({
  operationId: 'updateMe',
  method: 'PATCH',
  path: '/auth/me',
  specified: true,
  memoryMb: fullProcessorMb,
  role: 'sender',
  summary: 'Update the signed-in user',
  description:
    'Updates only the given fields. A new email address must be verified: we send a verification link to it. If the former address was verified, it receives a link that reverts the change, and nobody else can use it for seven days. A change with `currentPassword` also voids the links of addresses that were in use since the last verified one.',
  access: signedInPerson,
  countedInHandler: ['emailChange', 'passwordChange'],
  body: z.object({
    firstName: firstName.optional(),
    lastName: lastName.optional(),
    nickname: nickname.nullish(),
    email: email.optional(),
    currentPassword: givenPassword.optional(),
  }),
  response: z.object({
    user: user.pick({
      id: true,
      email: true,
      firstName: true,
      lastName: true,
      nickname: true,
      emailVerified: true,
      updatedAt: true,
    }),
  }),
  message: 'User updated successfully',
  errors: ['CREDENTIALS_INVALID', 'EMAIL_TAKEN', 'OVERTAKEN'],
});

export const deleteMe = contract({
  operationId: 'deleteMe',
  method: 'DELETE',
  path: '/auth/me',
  memoryMb: fullProcessorMb,
  role: 'sender',
  summary: "Delete the signed-in user's account",
  description:
    'Requires the password, or for users whose Google account is linked a new ID token, and a code if two-factor authentication is on. Organizations without other members are deleted, too. The email address is free immediately.',
  access: signedInPerson,
  countedInHandler: ['passwordChange'],
  body: z.object({
    password: givenPassword.optional(),
    idToken: idToken.optional(),
    code: codeOrRecoveryCode.optional(),
  }),
  message: 'Account deleted successfully',
  errors: [
    'CREDENTIALS_INVALID',
    'GOOGLE_TOKEN_INVALID',
    'SOLE_OWNER',
    'TOO_MANY_ORGANIZATIONS',
    'OVERTAKEN',
    'GOOGLE_UNAVAILABLE',
  ],
});

export const logOut = contract({
  operationId: 'logOut',
  method: 'POST',
  path: '/auth/logout',
  specified: true,
  summary: 'Sign out',
  description: 'Ends the session, revokes its token and clears the auth cookie.',
  access: signedInPerson,
  body: emptyBody,
  message: 'Logged out successfully',
});

export const createSetupIntent = contract({
  operationId: 'createSetupIntent',
  method: 'POST',
  path: '/auth/setup-intent',
  specified: true,
  summary: 'Create a setup intent to collect a payment method without charging it',
  description:
    "The setup intent belongs to the current organization's billing customer if the caller is an OWNER or ADMIN. Otherwise it has no customer.",
  access: signedInAnywhere,
  rateLimit: 'payment',
  body: emptyBody,
  response: z.object({ clientSecret: z.string().meta({ example: 'seti_1PqXyz_secret_QkAbc' }) }),
  message: 'Setup intent created successfully',
  errors: ['PAYMENT_SERVICE_UNAVAILABLE'],
});

export const listConsents = contract({
  operationId: 'listConsents',
  path: '/auth/me/consents',
  specified: true,
  summary: "List the signed-in user's consents",
  access: signedInPerson,
  response: z.object({
    consents: z.array(
      z.object({
        id: id('0192f0c1-7b5d-7c33-ae66-7f8091a2b3c4'),
        type: z.string().meta({ example: 'TERMS_OF_SERVICE' }),
        version: z.string().meta({ example: '1.0' }),
        acceptedAt: timestamp(),
        ipAddress: z.string().meta({ example: '203.0.113.7' }),
        userAgent: z.string().meta({ example: 'curl/8.5.0' }),
      }),
    ),
    total,
  }),
  message: 'Consents retrieved successfully',
});

export const debugIframe = contract({
  operationId: 'debugIframe',
  path: '/auth/iframe-debug',
  specified: true,
  summary: 'Diagnose iframe requests and the auth cookie configuration',
  access: openToAll,
  rateLimit: 'publicPages',
  envelope: 'bare',
  response: z.object({
    isIframe: z.boolean().meta({ example: true }),
    requestInfo: z.object({
      referer: orNull(z.string().meta({ example: 'https://app.example.com/' })),
      userAgent: orNull(z.string().meta({ example: 'Mozilla/5.0' })),
      origin: orNull(z.string().meta({ example: 'https://app.example.com' })),
      frameContext: orNull(z.string().meta({ example: 'iframe' })),
      host: orNull(z.string().meta({ example: 'api.example.com' })),
      allHeaders: z.array(z.string()).meta({ example: ['host', 'user-agent', 'sec-fetch-dest'] }),
    }),
    cookieConfig: z.object({
      httpOnly: z.boolean().meta({ example: true }),
      secure: z.boolean().meta({ example: true }),
      sameSite: z.string().meta({ example: 'none' }),
      domain: orNull(z.string().meta({ example: null })),
      path: z.string().meta({ example: '/' }),
      maxAge: z.int().meta({ example: 604_800_000, description: 'Milliseconds' }),
    }),
    recommendations: z
      .array(z.string())
      .meta({ example: ['Send requests with credentials: "include".'] }),
    timestamp: timestamp(),
    environment: z.string().meta({ example: 'prod' }),
  }),
});

export const switchOrganization = contract({
  operationId: 'switchOrganization',
  method: 'POST',
  path: '/auth/switch-organization',
  summary: "Switch the session's current organization",
  access: signedInPerson,
  body: z.object({ organizationId }),
  response: z.object({
    currentOrganization: membership.pick({ id: true, name: true, role: true }),
  }),
  message: 'Organization switched successfully',
  errors: ['ORGANIZATION_NOT_FOUND'],
});

export const forgotPassword = contract({
  operationId: 'forgotPassword',
  method: 'POST',
  path: '/auth/password/forgot',
  role: 'sender',
  summary: 'Request a password reset email',
  description: 'The response is the same whether or not an account exists.',
  access: openToAll,
  rateLimit: 'accountRecovery',
  countedInHandler: ['passwordResetAddress'],
  body: z.object({ email }),
  message: 'If an account exists for this email address, we sent a password reset link to it',
});

export const resetPassword = contract({
  operationId: 'resetPassword',
  method: 'POST',
  path: '/auth/password/reset',
  memoryMb: fullProcessorMb,
  summary: 'Reset a password with an emailed token',
  description: "The token expires after one hour and works once. Ends all of the user's sessions.",
  access: openToAll,
  rateLimit: 'accountRecovery',
  body: z.object({ token: oneTimeToken, newPassword }),
  message: 'Password reset successfully',
});

export const changePassword = contract({
  operationId: 'changePassword',
  method: 'POST',
  path: '/auth/password/change',
  memoryMb: fullProcessorMb,
  summary: "Change the signed-in user's password",
  description: "Requires the current password. Ends the user's other sessions.",
  access: signedInPerson,
  countedInHandler: ['passwordChange'],
  body: z.object({ currentPassword: givenPassword, newPassword }),
  message: 'Password changed successfully',
  errors: ['CREDENTIALS_INVALID', 'OVERTAKEN'],
});

export const verifyEmail = contract({
  operationId: 'verifyEmail',
  method: 'POST',
  path: '/auth/email/verify',
  summary: 'Verify an email address with an emailed token',
  access: openToAll,
  rateLimit: 'accountRecovery',
  body: z.object({ token: oneTimeToken }),
  message: 'Email verified successfully',
});

export const revertEmail = contract({
  operationId: 'revertEmail',
  method: 'POST',
  path: '/auth/email/revert',
  summary: 'Restore a former email address with an emailed token',
  description:
    "When a verified email address is changed, it receives a token that restores it. Of several changes within seven days, only the address before the first one can revert them. The token expires after seven days and works once. Ends all of the user's sessions. To sign in again, request a password reset: until then, no password is accepted.",
  access: openToAll,
  rateLimit: 'accountRecovery',
  body: z.object({ token: oneTimeToken }),
  message: 'Email address restored successfully',
  errors: ['EMAIL_TAKEN'],
});

export const requestEmailVerification = contract({
  operationId: 'requestEmailVerification',
  method: 'POST',
  path: '/auth/email/verification',
  role: 'sender',
  summary: 'Request a verification email',
  description:
    "Sends a link to the signed-in user's email address. Does nothing if the address is already verified.",
  access: signedInPerson,
  rateLimit: 'emailVerification',
  body: emptyBody,
  message: 'If your email address is not verified yet, we sent you a link to verify it',
});

export const listSessions = contract({
  operationId: 'listSessions',
  path: '/auth/sessions',
  summary: "List the signed-in user's sessions",
  access: signedInPerson,
  response: z.object({
    sessions: z.array(
      z.object({
        id: sessionId,
        createdAt: timestamp(),
        lastActiveAt: timestamp(),
        expiresAt: timestamp('2026-01-22T09:30:00.000Z'),
        ipAddress: z.string().meta({ example: '203.0.113.7' }),
        userAgent: z.string().meta({ example: 'curl/8.5.0' }),
        current: z
          .boolean()
          .meta({ example: true, description: 'Whether this is the current session' }),
      }),
    ),
    total,
  }),
  message: 'Sessions retrieved successfully',
});

export const revokeSession = contract({
  operationId: 'revokeSession',
  method: 'DELETE',
  path: '/auth/sessions/{session_id}',
  summary: "End one of the signed-in user's sessions",
  access: signedInPerson,
  params: z.object({ session_id: sessionId }),
  message: 'Session ended successfully',
  errors: ['SESSION_NOT_FOUND'],
});
