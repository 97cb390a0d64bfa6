import { setUpTwoFactor } from '#lib/features/accounts/two-factor/set-up.ts';
import { requireUser } from '#lib/features/accounts/users/users.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { qrCodeSvg } from '#lib/platform/qr-code.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(
  contracts.setUpTwoFactor,
  async ({ caller, once }) => {
    const setup = await once(async (alongside) =>
      setUpTwoFactor(await requireUser(caller.userId), alongside),
    );

    return { ...setup, qrSvg: qrCodeSvg(setup.otpauthUrl) };
  },
  { ahead: ({ userId }) => requireUser(userId) },
);
