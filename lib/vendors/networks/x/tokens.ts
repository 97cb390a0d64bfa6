import type { Explanation, NetworkAnswer } from '#lib/vendors/networks/call-network.ts';
import type { AccountTokensApi, Credentials, Tokens } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { oauthError, tokenAnswer, toTokens } from '#lib/vendors/networks/token-answer.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

export const validateToken: AccountTokensApi['validateToken'] = async (credentials) => {
  const user = await readUser(credentials);

  return { platformUserIds: [user.id] };
};

/**
 * Exchanges a single-use refresh token for a new pair. If there is no response, the outcome is
 * unknown, because X may have used up the token.
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

  return requestTokens({ grant_type: 'refresh_token', refresh_token: oldToken });
};

/** Returns the account itself: X has no pages. */
export const listPages: AccountTokensApi['listPages'] = async (credentials) => {
  const { id, name, username, public_metrics: metrics } = await readUser(credentials);

  return [
    {
      platformPageId: id,
      name,
      category: null,
      url: `https://x.com/${username}`,
      isActive: true,
      followersCount: metrics?.followers_count ?? null,
      lastPostDate: null,
    },
  ];
};

/**
 * Exchanges a code or a refresh token as a confidential client. Both work once, so the outcome is
 * unknown if there is no response.
 *
 * @throws NetworkError `tokenInvalid` if X rejects the code or the refresh token.
 */
export async function requestTokens(grant: Readonly<Record<string, string>>): Promise<Tokens> {
  const app = await networkApp(platform);
  const basic = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64');
  const pair = await call({
    method: 'POST',
    path: '/2/oauth2/token',
    headers: { authorization: `Basic ${basic}` },
    form: { ...grant, client_id: app.clientId },
    answer: tokenAnswer,
    explain: explainTokenError,
  });

  return toTokens(pair);
}

/** X reports an invalid code or token with one of two errors. Any other 4xx is about the app. */
function explainTokenError({ status, json }: NetworkAnswer): Explanation | undefined {
  const { error, error_description: message } = oauthError.safeParse(json).data ?? {};
  if (status === 429 || status >= 500) {
    return undefined;
  }
  const isTokenInvalid = error === 'invalid_request' || error === 'invalid_grant';

  return { kind: isTokenInvalid ? 'tokenInvalid' : 'unavailable', message, code: error };
}

const userInfo = z.object({
  data: z.object({
    id: z.string(),
    name: z.string(),
    username: z.string(),
    profile_image_url: z.string().optional(),
    public_metrics: z
      .object({
        followers_count: z.number().optional(),
        post_count: z.number().optional(),
        /** The older name of `post_count`. */
        tweet_count: z.number().optional(),
      })
      .optional(),
  }),
});

export type User = z.output<typeof userInfo>['data'];

export async function readUser(
  { accessToken }: Pick<Credentials, 'accessToken'>,
  fields = 'public_metrics,username',
): Promise<User> {
  const { data } = await call({
    path: '/2/users/me',
    token: accessToken,
    query: { 'user.fields': fields },
    answer: userInfo,
  });

  return data;
}
