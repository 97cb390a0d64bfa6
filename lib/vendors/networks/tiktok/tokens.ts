import { config } from '#lib/platform/config.ts';
import type { Explanation, NetworkAnswer } from '#lib/vendors/networks/call-network.ts';
import type { AccountTokensApi, Credentials, Tokens } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { oauthError, tokenAnswer, toTokens } from '#lib/vendors/networks/token-answer.ts';
import * as z from '#schemas/zod.ts';
import { call, callRaw, platform } from './call.ts';

const tokenPath = '/v2/oauth/token/';
/** Required, because TikTok's documentation contradicts itself about token lifetimes. */
const tokenResponse = tokenAnswer.extend({ expires_in: z.number() });

export const validateToken: AccountTokensApi['validateToken'] = async (credentials) => {
  const user = await readUser(credentials, 'open_id');

  return { platformUserIds: [user.open_id] };
};

/**
 * Exchanges a single-use refresh token for a new pair. If there is no response, the outcome is
 * unknown, because TikTok may have used up the token.
 *
 * @throws NetworkError `tokenInvalid` if the refresh token was used, revoked or is missing.
 */
export const refreshToken: AccountTokensApi['refreshToken'] = async ({
  refreshToken: oldToken,
}) => {
  if (oldToken === undefined) {
    throw new NetworkError(platform, 'tokenInvalid', {
      message: 'The account has no refresh token',
    });
  }

  return requestTokens({ grant_type: 'refresh_token', refresh_token: oldToken }, ['invalid_grant']);
};

/** Returns the account itself: TikTok has no pages. */
export const listPages: AccountTokensApi['listPages'] = async (credentials) => {
  const user = await readUser(credentials, 'open_id,display_name,username,follower_count');

  return [
    {
      platformPageId: user.open_id,
      name: user.display_name,
      category: null,
      url: user.username === undefined ? null : `https://www.tiktok.com/@${user.username}`,
      isActive: true,
      followersCount: user.follower_count ?? null,
      lastPostDate: null,
    },
  ];
};

/**
 * Exchanges a code or a refresh token. Both work once, so the outcome is unknown if there is no
 * response.
 *
 * @param grantErrors The errors that are about the code or token. All others are about the app.
 * @throws NetworkError `tokenInvalid` for these errors.
 */
export async function requestTokens(
  grant: Readonly<Record<string, string>>,
  grantErrors: readonly string[],
): Promise<Tokens> {
  const app = await networkApp(platform);
  const pair = await callRaw(
    {
      method: 'POST',
      path: tokenPath,
      form: { client_key: app.clientId, client_secret: app.clientSecret, ...grant },
      answer: tokenResponse,
    },
    {
      url: `${config.networks.tiktok.apiBase}${tokenPath}`,
      isFailure: ({ json }) => oauthError.safeParse(json).success,
      explain: (answer) => explainTokenError(answer, grantErrors),
    },
  );

  return toTokens(pair);
}

/** Errors may have status 200. */
function explainTokenError(
  { status, json }: NetworkAnswer,
  grantErrors: readonly string[],
): Explanation | undefined {
  const { error, error_description: message } = oauthError.safeParse(json).data ?? {};
  if (error === undefined || status === 429 || status >= 500) {
    return status >= 400 && status < 500 && status !== 429 ? { kind: 'unavailable' } : undefined;
  }

  return {
    kind: grantErrors.includes(error) ? 'tokenInvalid' : 'unavailable',
    message,
    code: error,
  };
}

const userInfo = z.object({
  data: z.object({
    user: z.object({
      open_id: z.string(),
      display_name: z.string().default(''),
      username: z.string().optional(),
      avatar_url: z.string().optional(),
      follower_count: z.number().optional(),
      likes_count: z.number().optional(),
      video_count: z.number().optional(),
    }),
  }),
});

export async function readUser({ accessToken }: Pick<Credentials, 'accessToken'>, fields: string) {
  const { data } = await call(accessToken, {
    path: '/v2/user/info/',
    query: { fields },
    answer: userInfo,
  });

  return data.user;
}
