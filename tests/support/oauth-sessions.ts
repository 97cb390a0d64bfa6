import {
  type Choice,
  type OAuthSession,
  packTokens,
  sealField,
  sessionExpiry,
} from '#lib/features/social/consent/oauth-session.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { create, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import type { Tokens } from '#lib/vendors/networks/network.ts';
import type { Platform } from '#schemas/platforms.ts';
import { connectionBody, newPlatformUserId } from './social-accounts.ts';

export type Offer = { readonly choice: Choice; readonly tokens: Tokens };

/** Returns an account of the network sandbox, as it is offered after an authorization. */
export async function newOffer(
  platform: Platform = 'FACEBOOK',
  overrides: Partial<Choice> = {},
): Promise<Offer> {
  const platformUserId = overrides.platformUserId ?? newPlatformUserId();
  const body = await connectionBody({ platform, platformUserId });
  const tokens = {
    accessToken: body.accessToken,
    ...(body.refreshToken ? { refreshToken: body.refreshToken } : {}),
  };
  const choice: Choice = {
    platformUserId,
    name: 'Engines',
    kind: 'PAGE',
    avatarUrl: null,
    ...overrides,
  };

  return { choice, tokens };
}

type Stored = Partial<OAuthSession> & { readonly offers?: readonly Offer[] };

/** Stores a session as if its authorization had ended, without calling the network's pages. */
export async function storeOAuthSession(
  organizationId: string,
  { offers = [], ...overrides }: Stored = {},
): Promise<OAuthSession> {
  const id = newId();
  const key = keys.oauthSession(organizationId, id);
  const tokens = packTokens(
    offers.map(({ choice, tokens: granted }) => ({ ...choice, tokens: granted })),
  );
  const session: OAuthSession = {
    ...key,
    id,
    organizationId,
    platform: 'FACEBOOK',
    purpose: 'publishing',
    status: 'READY',
    choices: offers.map(({ choice }) => choice),
    tokens: await sealField(key, 'tokens', tokens),
    ...sessionExpiry(),
    ...overrides,
  };
  await write(create(key, session));

  return session;
}
