import { subscribeToAccount } from '#lib/features/social/accounts/account-webhook.ts';
import { nothingElse } from '#lib/platform/db/write.ts';
import { receiveDataDeletion } from '#schemas/social-webhooks.ts';
import { connectedAccount, signedEvent } from '#tests/support/network-events.ts';
import { deliverSigned, signedRequest } from '#tests/support/signed-requests.ts';
import type { Fixture, Fixtures } from './fixture.ts';
import type { World } from './world.ts';

const verifyToken = 'a-token-of-mine';
const handshake = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444' };

/** Creates an account with a webhook subscription. */
const params: Fixture['params'] = async ({ organizationId, people }: World) => {
  const { id } = await connectedAccount(organizationId);
  await subscribeToAccount(organizationId, people.OWNER.userId, id, { verifyToken }, nothingElse);

  return { account_id: id };
};

const aDelivery: Fixture['signed'] = async ({ organizationId }: World) => {
  const { headers, body } = await signedEvent(await connectedAccount(organizationId));

  return { headers, body };
};

const aPerson = '1234567';

const aSignedRequest: Fixture['signed'] = () => signedRequest('FACEBOOK', aPerson);

export const socialWebhookFixtures: Fixtures = {
  receiveDeauthorization: { signed: aSignedRequest },
  receiveDataDeletion: { signed: aSignedRequest },
  getDataDeletionPage: {
    params: async () => {
      const { body } = await deliverSigned(receiveDataDeletion, 'FACEBOOK', aPerson);

      return { code: body.confirmation_code };
    },
  },
  receiveNetworkEvents: { signed: aDelivery },
  receiveAccountEvents: { params, signed: aDelivery },
  answerNetworkChallenge: {
    query: async () => ({ ...handshake, 'hub.verify_token': 'sandbox-facebook-verify' }),
  },
  verifyAccountWebhook: {
    params,
    query: async () => ({ ...handshake, 'hub.verify_token': verifyToken }),
  },
};
