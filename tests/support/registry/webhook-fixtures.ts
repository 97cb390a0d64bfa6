import { storeSocialAccount } from '#tests/support/social-accounts.ts';
import { storeFailedDelivery } from '#tests/support/webhooks.ts';
import type { Fixtures } from './fixture.ts';
import type { World } from './world.ts';

async function newAccountId({ organizationId, names }: World): Promise<string> {
  return (await storeSocialAccount(organizationId, { platformUserName: names[0] ?? '' })).id;
}

export const webhookFixtures: Fixtures = {
  subscribeAccountWebhook: {
    params: async (world) => ({ account_id: await newAccountId(world) }),
  },
  listAccountDeliveries: {
    params: async (world) => {
      const account_id = await newAccountId(world);
      await storeFailedDelivery(world.organizationId, account_id, world.names[0]);

      return { account_id };
    },
  },
  replayAccountDelivery: {
    params: async (world) => {
      const account_id = await newAccountId(world);

      return {
        account_id,
        delivery_id: await storeFailedDelivery(world.organizationId, account_id, world.names[0]),
      };
    },
  },
};
