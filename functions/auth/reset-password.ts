import { resetPassword } from '#lib/features/auth/password-change.ts';
import { passwordProblems } from '#lib/features/auth/weak-passwords.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { readDeviceCookie } from '#lib/platform/http/sign-in-cookies.ts';
import { verifyKnownDevice } from '#lib/platform/identity/known-device.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(
  contracts.resetPassword,
  async ({ body, event, idempotently }) => {
    const device = await verifyKnownDevice(readDeviceCookie(event));
    await idempotently((extraWrites) => resetPassword(body, device, extraWrites));
  },
  { rules: ({ body }) => passwordProblems('newPassword', body.newPassword) },
);
