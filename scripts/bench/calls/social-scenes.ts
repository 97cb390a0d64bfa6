import { randomUUID } from 'node:crypto';
import { timestamp } from '#lib/clock.ts';
import { keys } from '#lib/db/keys.ts';
import { create, write } from '#lib/db/write.ts';
import { newId } from '#lib/ids.ts';
import { type SocialAccount, sealToken } from '#lib/social/accounts.ts';
import type { Contract } from '#schemas/contract.ts';
import * as social from '#schemas/social.ts';
import type { Call } from './gateway-event.ts';
import { callOf, type Scene, signedInCall } from './scene.ts';

/** An account of the organization's, as if it had been connected. */
export async function addSocialAccount(organizationId: string): Promise<SocialAccount> {
  const id = newId();
  const now = timestamp();
  const account: SocialAccount = {
    id,
    organizationId,
    platform: 'FACEBOOK',
    platformUserId: `page-${randomUUID()}`,
    platformUserName: 'Engines on Facebook',
    permissions: ['pages_manage_posts', 'pages_messaging'],
    isActive: true,
    accessToken: await sealToken({ organizationId, id }, 'accessToken', 'EAAG'.repeat(50)),
    tokenVersion: 1,
    tokenIssuedAt: now,
    createdAt: now,
    updatedAt: now,
  };
  await write(create(keys.socialAccount(organizationId, id), account));

  return account;
}

function aboutAccount(contract: Contract, call: Call = {}): Scene {
  return callOf(contract, async (world) => {
    const { token, organizationId } = await world.newAccount();
    const { id } = await addSocialAccount(organizationId);

    return { ...call, token, ...(contract.params ? { params: { account_id: id } } : {}) };
  });
}

export const socialScenes: Readonly<Record<string, Scene>> = {
  'list-social-accounts': aboutAccount(social.listSocialAccounts),
  'update-social-account': aboutAccount(social.updateSocialAccount, {
    body: { platformUserName: 'Engines' },
  }),
  'get-social-account-stats': aboutAccount(social.getSocialAccountStats),
  'list-capabilities': signedInCall(social.listCapabilities),
};
