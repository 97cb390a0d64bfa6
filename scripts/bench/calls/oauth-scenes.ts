import { createConnectLink } from '#lib/features/social/consent/connect-links.ts';
import { finishConsent } from '#lib/features/social/consent/finish-consent.ts';
import { type StartedSession, startSession } from '#lib/features/social/consent/start-session.ts';
import { config } from '#lib/platform/config.ts';
import { nothingElse } from '#lib/platform/db/write.ts';
import * as links from '#schemas/connect-links.ts';
import type { Contract } from '#schemas/contract.ts';
import * as oauth from '#schemas/social-oauth.ts';
import { callOf, type Scene, signedInCall } from './scene.ts';
import { type Account, newEmail, type World } from './world.ts';

const platform = 'FACEBOOK';
const params = { platform: 'facebook' };
const pages = 3;

/** Gives consent as somebody with a typical number of pages. Returns the query of the callback. */
async function consentTo(world: World, { authorizationUrl }: StartedSession) {
  const id = String(Date.now());
  const accounts = Array.from({ length: pages }, (_, index) => ({
    id: `${id}${index}`,
    name: `Engines ${index}`,
  }));
  await world.sandbox.setServiceUrl(config.publicBaseUrl);
  await world.sandbox.network(platform).addPerson({ id, name: 'Ada', accounts });
  const url = `${authorizationUrl}&sandbox=allow&sandbox_person=${id}`;
  const { headers } = await fetch(url, { redirect: 'manual' });
  const query = Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);

  return { query, pageId: `${id}0` };
}

function startFor({ organizationId, userId }: Account): Promise<StartedSession> {
  return startSession(organizationId, { platform, starter: { userId } }, nothingElse);
}

function consentedCall(
  contract: Contract,
  bodyFor: (pageId: string) => object | undefined = () => undefined,
): Scene {
  return callOf(contract, async (world) => {
    const account = await world.newAccount();
    const started = await startFor(account);
    const { query, pageId } = await consentTo(world, started);
    await finishConsent(platform, query);
    const body = bodyFor(pageId);

    return {
      token: account.token,
      params: { session_id: started.sessionId },
      ...(body ? { body } : {}),
    };
  });
}

async function newLink({ organizationId, userId }: Account) {
  const { link, url } = await createConnectLink(
    organizationId,
    userId,
    { platform },
    () => undefined,
    nothingElse,
  );

  return { link, linkToken: url.split('/').at(-1) ?? '' };
}

function linkCall(contract: Contract): Scene {
  return callOf(contract, async (world) => {
    const account = await world.newAccount();
    const { link } = await newLink(account);

    return {
      token: account.token,
      ...(contract.params ? { params: { link_id: link.id } } : {}),
    };
  });
}

export const oauthScenes: Readonly<Record<string, Scene>> = {
  'start-social-oauth': callOf(oauth.startSocialOauth, async (world) => ({
    token: (await world.newAccount()).token,
    params,
    body: {},
  })),
  'receive-oauth-callback': callOf(oauth.receiveOauthCallback, async (world) => {
    const { query } = await consentTo(world, await startFor(await world.newAccount()));

    return { params, query };
  }),
  'get-oauth-session': consentedCall(oauth.getOauthSession),
  'connect-oauth-session': consentedCall(oauth.connectOauthSession, (pageId) => ({
    platformUserIds: [pageId],
  })),
  'get-connected-page': callOf(oauth.getConnectedPage, () => ({ query: { session: 'x' } })),
  'create-connect-link': signedInCall(links.createConnectLink, { platform, email: newEmail() }),
  'list-connect-links': linkCall(links.listConnectLinks),
  'delete-connect-link': linkCall(links.deleteConnectLink),
  'open-connect-link': callOf(links.openConnectLink, async (world) => ({
    params: { token: (await newLink(await world.newAccount())).linkToken },
  })),
  'submit-connect-link': callOf(links.submitConnectLink, async (world) => {
    const account = await world.newAccount();
    const { link, linkToken } = await newLink(account);
    const starter = { connectLinkId: link.id, linkToken };
    const started = await startSession(account.organizationId, { platform, starter }, nothingElse);
    const { query, pageId } = await consentTo(world, started);
    await finishConsent(platform, query);

    return {
      params: { token: linkToken },
      body: new URLSearchParams({ session: started.sessionId, account: pageId }).toString(),
    };
  }),
};
