import { randomInt } from 'node:crypto';
import { type SocialAccount, sealToken } from '#lib/features/social/accounts/accounts.ts';
import { planSubscription } from '#lib/features/social/connection/subscription.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { create, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import type { Contract } from '#schemas/contract.ts';
import * as social from '#schemas/social.ts';
import type { Call } from './gateway-event.ts';
import { callOf, type Scene, signedInCall } from './scene.ts';
import type { World } from './world.ts';

/** The data to connect an account, with a valid network token. */
async function newConnection(world: World, platform: 'FACEBOOK' | 'INSTAGRAM' = 'FACEBOOK') {
  const platformUserId = `${Date.now()}${randomInt(10_000, 100_000)}`;
  const { accessToken } = await world.sandbox
    .network(platform)
    .issueTokens({ userId: platformUserId });

  return {
    platform,
    accessToken,
    platformUserId,
    platformUserName: 'Engines',
  };
}

/** Adds an account to the organization as if it had been connected. */
export async function addSocialAccount(
  world: World,
  organizationId: string,
  platform: 'FACEBOOK' | 'INSTAGRAM' = 'FACEBOOK',
): Promise<SocialAccount> {
  const id = newId();
  const key = keys.socialAccount(organizationId, id);
  const { accessToken, ...connection } = await newConnection(world, platform);
  const now = timestamp();
  const account: SocialAccount = {
    ...key,
    id,
    organizationId,
    ...connection,
    permissions: ['pages_manage_posts', 'pages_messaging'],
    isActive: true,
    accessToken: await sealToken(key, 'accessToken', accessToken),
    tokenVersion: 1,
    tokenIssuedAt: now,
    createdAt: now,
    updatedAt: now,
  };
  const claim = keys.socialAccountClaim(account.platform, account.platformUserId);
  await write(create(key, account), create(claim, { organizationId, accountId: id }));

  return account;
}

function aboutAccount(contract: Contract, call: Call = {}): Scene {
  return callOf(contract, async (world) => {
    const { token, organizationId } = await world.newAccount();
    const { id } = await addSocialAccount(world, organizationId);

    return { ...call, token, ...(contract.params ? { params: { account_id: id } } : {}) };
  });
}

/** The queue event for a worker after an account was connected and `then` was called. */
function workAfterConnecting(
  worker: string,
  then: (world: World, token: string, accountId: string) => Promise<unknown> = async () => {},
): Scene {
  return async (world) => {
    const { token } = await world.newAccount();
    await world.queues.drain();
    const body = await newConnection(world);
    const { socialAccount } = await world.call(social.connectSocialAccount, { token, body });
    await then(world, token, socialAccount.id);

    return world.queues.takeEvent(worker);
  };
}

const nothingDue: Scene = async () => ({});

export const socialScenes: Readonly<Record<string, Scene>> = {
  'list-social-accounts': aboutAccount(social.listSocialAccounts),
  'update-social-account': aboutAccount(social.updateSocialAccount, {
    body: { platformUserName: 'Engines' },
  }),
  'get-social-account-stats': aboutAccount(social.getSocialAccountStats),
  'list-capabilities': signedInCall(social.listCapabilities),
  'connect-social-account': callOf(social.connectSocialAccount, async (world) => ({
    token: (await world.newAccount()).token,
    body: await newConnection(world),
  })),
  'disconnect-social-account': aboutAccount(social.disconnectSocialAccount),
  'refresh-social-account-token': callOf(social.refreshSocialAccountToken, async (world) => {
    const { token, organizationId } = await world.newAccount();
    const { id } = await addSocialAccount(world, organizationId, 'INSTAGRAM');

    return { token, params: { account_id: id }, body: {} };
  }),
  'validate-social-account-token': aboutAccount(social.validateSocialAccountToken, { body: {} }),
  'get-token-health': aboutAccount(social.getTokenHealth),
  'list-social-account-pages': aboutAccount(social.listSocialAccountPages),
  'sync-social-account': aboutAccount(social.syncSocialAccount, { body: {} }),
  'account-snapshot': workAfterConnecting('account-snapshot'),
  'account-disconnection': workAfterConnecting('account-disconnection', (world, token, id) =>
    world.call(social.disconnectSocialAccount, { token, params: { account_id: id } }),
  ),
  'account-subscription': async (world) => {
    const { organizationId } = await world.newAccount();
    const account = await addSocialAccount(world, organizationId);
    const work = planSubscription(account);
    await write(work);

    return world.queues.takeEvent('account-subscription');
  },
  'token-refresh': nothingDue,
  'metrics-snapshot': nothingDue,
  'posts-import': nothingDue,
};
