import * as z from '#schemas/zod.ts';
import type { Tokens } from './network.ts';

/** The response of a token endpoint (RFC 6749, 5.1). */
export const tokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().optional(),
  scope: z.string().optional(),
});

/** The error of a token endpoint (RFC 6749, 5.2). */
export const oauthError = z.object({
  error: z.string(),
  error_description: z.string().optional(),
});

export function toTokens({
  access_token: accessToken,
  refresh_token: refreshToken,
  expires_in: expiresInSeconds,
  scope,
}: z.output<typeof tokenAnswer>): Tokens {
  return {
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(expiresInSeconds === undefined ? {} : { expiresInSeconds }),
    ...(scope === undefined ? {} : { scopes: scopesOf(scope) }),
  };
}

/** Splits a list of scopes. Networks separate them with commas, with spaces, or with both. */
export function scopesOf(list: string): readonly string[] {
  return list.split(/[\s,]+/).filter((scope) => scope !== '');
}
