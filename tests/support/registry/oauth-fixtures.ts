import { createConnectLink } from '#lib/features/social/consent/connect-links.ts';
import { startSession } from '#lib/features/social/consent/start-session.ts';
import { nothingElse } from '#lib/platform/db/write.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { newOffer, storeOAuthSession } from '#tests/support/oauth-sessions.ts';
import type { Fixtures } from './fixture.ts';
import type { World } from './world.ts';

const inPath = { platform: 'facebook' };

type Pair = { readonly sessionId: string; readonly platformUserId: string };
type Side = 'params' | 'body';

const pairs = new WeakMap<World, { readonly side: Side; readonly pair: Promise<Pair> }>();

async function newPair({ organizationId, names }: World): Promise<Pair> {
  const offer = await newOffer('FACEBOOK', { name: names[0] ?? '' });
  const { id } = await storeOAuthSession(organizationId, { offers: [offer] });

  return { sessionId: id, platformUserId: offer.choice.platformUserId };
}

/** The path and the body of a call name the same session: the first to be built creates it. */
function pairFor(world: World, side: Side): Promise<Pair> {
  const left = pairs.get(world);
  if (left && left.side !== side) {
    pairs.delete(world);

    return left.pair;
  }
  const pair = newPair(world);
  pairs.set(world, { side, pair });

  return pair;
}

function newLink({ organizationId, people }: World) {
  const request = { platform: 'FACEBOOK' } as const;

  return createConnectLink(
    organizationId,
    people.OWNER.userId,
    request,
    () => undefined,
    nothingElse,
  );
}

const aLinkToken = async (world: World) => ({
  token: (await newLink(world)).url.split('/').at(-1) ?? '',
});

export const oauthFixtures: Fixtures = {
  startSocialOauth: { params: async () => inPath },
  receiveOauthCallback: {
    params: async () => inPath,
    query: async ({ organizationId, people }) => {
      const starter = { userId: people.OWNER.userId };
      const { authorizationUrl } = await startSession(
        organizationId,
        { platform: 'FACEBOOK', starter },
        nothingElse,
      );

      return {
        state: new URL(authorizationUrl).searchParams.get('state') ?? '',
        error: 'access_denied',
      };
    },
  },
  getOauthSession: {
    params: async (world) => ({ session_id: (await newPair(world)).sessionId }),
  },
  connectOauthSession: {
    params: async (world) => ({ session_id: (await pairFor(world, 'params')).sessionId }),
    body: async (world) => ({ platformUserIds: [(await pairFor(world, 'body')).platformUserId] }),
  },
  createConnectLink: { body: async () => ({ email: freshEmail() }) },
  deleteConnectLink: { params: async (world) => ({ link_id: (await newLink(world)).link.id }) },
  openConnectLink: { params: aLinkToken },
  submitConnectLink: { params: aLinkToken },
};
