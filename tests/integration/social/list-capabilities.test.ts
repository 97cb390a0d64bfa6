import { describe, expect, it } from 'vitest';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import { platforms } from '#schemas/platforms.ts';
import { listCapabilities } from '#schemas/social.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

describe('network capabilities', () => {
  it('match what the service uses for each network', async () => {
    const { token } = await newAccount();
    const { body } = await call(listCapabilities, { token });

    expect(body.capabilities).toEqual(
      platforms.map((platform) => ({ platform, ...capabilities[platform] })),
    );
  });
});
