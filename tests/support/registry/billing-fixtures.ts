import { keys } from '#lib/db/keys.ts';
import { discard, write } from '#lib/db/write.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { defaultCardOf } from '#tests/support/billing.ts';
import { sandbox } from '#tests/support/mails.ts';
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

async function ownCard({ organizationId }: World) {
  return { paymentMethodId: await defaultCardOf(organizationId) };
}

export const billingFixtures: Fixtures = {
  purchaseCredits: { body: ownCard },
  receivePaymentEvent: {
    signed: async () => {
      const { payload, signature } = await sandbox.sendPaymentEvent({
        type: 'payment_intent.succeeded',
        object: { id: 'pi_unknown' },
      });

      return {
        body: payload,
        headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
      };
    },
  },
  setUpBilling: {
    body: async (world) => {
      await withoutBilling(world);

      return { email: freshEmail() };
    },
  },
};
