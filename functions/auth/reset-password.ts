import { resetPassword } from '#lib/features/accounts/password-change.ts';
import { readDeviceCookie } from '#lib/platform/http/cookies.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { verifyKnownDevice } from '#lib/platform/identity/known-device.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(contracts.resetPassword, async ({ body, event, once }) => {
  const device = await verifyKnownDevice(readDeviceCookie(event));
  await once((alongside) => resetPassword(body, device, alongside));
});
