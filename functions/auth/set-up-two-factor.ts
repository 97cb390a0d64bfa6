import { setUpTwoFactor } from '#lib/features/auth/two-factor/set-up.ts';
import { requireUser } from '#lib/features/users/users.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { qrCodeSvg } from '#lib/platform/qr-code.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(contracts.setUpTwoFactor, async ({ caller, idempotently }) => {
  const setup = await idempotently(async (extraWrites) =>
    setUpTwoFactor(await requireUser(caller.userId), extraWrites),
  );

  return { ...setup, qrSvg: qrCodeSvg(setup.otpauthUrl) };
});
