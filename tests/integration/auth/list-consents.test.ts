import { expect, it } from 'vitest';
import { listConsents } from '#schemas/auth.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

it("listConsents returns only the caller's consents from signup", async () => {
  await newAccount();
  const { token } = await newAccount();
  const answer = await call(listConsents, { token });

  expect(answer.body).toEqual({
    success: true,
    total: 1,
    consents: [
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        type: 'TERMS_OF_SERVICE',
        version: '1.0',
        acceptedAt: expect.stringMatching(/Z$/),
        ipAddress: expect.stringMatching(/^2001:db8:/),
        userAgent: 'fixtures',
      },
    ],
    message: 'Consents retrieved successfully',
  });
});
