import * as billing from '#schemas/billing.ts';
import { createOrganization } from '#schemas/organizations.ts';
import { callOf, type Scene, signedInCall } from './scene.ts';
import { newEmail } from './world.ts';

export const billingScenes: Readonly<Record<string, Scene>> = {
  'set-up-billing': callOf(billing.setUpBilling, async (world) => {
    const { token } = await world.newAccount();
    const { organization } = await world.call(createOrganization, {
      token,
      body: { name: 'Difference Engines' },
    });

    return {
      token,
      headers: { 'x-organization-id': organization.id },
      body: { email: newEmail(), name: 'Difference Ltd' },
    };
  }),
  'get-balance': signedInCall(billing.getBalance),
};
