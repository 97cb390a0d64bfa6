import { keys } from '#lib/db/keys.ts';
import { discard, write } from '#lib/db/write.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import type { Fixtures } from './fixture.ts';
import type { World } from './world.ts';

/** The organization as one that was not made by a signup: its billing has yet to be set up. */
async function withoutBilling({ organizationId }: World): Promise<void> {
  await write(
    discard(keys.billing(organizationId)),
    discard(keys.balance(organizationId)),
    discard(keys.billingSetup(organizationId)),
  );
}

export const billingFixtures: Fixtures = {
  setUpBilling: {
    body: async (world) => {
      await withoutBilling(world);

      return { email: freshEmail() };
    },
  },
};
