import { config } from '#lib/platform/config.ts';
import { authorizationUrl } from '#lib/vendors/networks/authorization-url.ts';
import type { OAuthApi } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { businessApp, requestTokens, validateToken } from './business-tokens.ts';
import { callBusiness } from './call.ts';

/** The account's name, its videos, and their comments and messages. */
const scopes = [
  'user.info.basic',
  'video.list',
  'comment.list',
  'comment.list.manage',
  'message.list.read',
  'message.list.send',
];

const profile = z.object({
  data: z.object({
    display_name: z.string().optional(),
    profile_image: z.string().optional(),
  }),
});

/**
 * Consent to the Business API, on the same page as for the public API. Its token endpoint has no
 * parameter for PKCE.
 *
 * Unverified: the scopes and `business/get`, known only from third-party clients. See
 * docs/operations.md.
 */
export const businessOAuth: OAuthApi = {
  needsPkce: false,
  authorizationUrl: async ({ redirectUri, state }) => {
    const { clientId } = await businessApp();

    return authorizationUrl(`${config.networks.tiktok.authBase}/v2/auth/authorize/`, {
      response_type: 'code',
      client_key: clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(','),
      state,
    });
  },
  exchangeCode: ({ code, redirectUri }) =>
    requestTokens('/tt_user/oauth2/token/', {
      grant_type: 'authorization_code',
      auth_code: code,
      redirect_uri: redirectUri,
    }),
  /** Returns the account itself, with its id in the Business app. */
  listChoices: async (tokens) => {
    const { accessToken } = tokens;
    const facts = await validateToken({ platformUserId: '', accessToken });
    const [platformUserId = ''] = facts.platformUserIds;
    const { data } = await callBusiness(accessToken, {
      path: '/business/get/',
      query: {
        business_id: platformUserId,
        fields: JSON.stringify(['display_name', 'profile_image']),
      },
      answer: profile,
    });

    return [
      {
        platformUserId,
        name: data.display_name ?? platformUserId,
        kind: 'PROFILE',
        avatarUrl: data.profile_image ?? null,
        tokens,
      },
    ];
  },
};
