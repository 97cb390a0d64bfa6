import { hourMs, minuteMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import {
  callNetwork,
  type Explanation,
  isRepeatable,
  type NetworkAnswer,
  type NetworkCall,
  readAnswer,
} from '#lib/vendors/networks/call-network.ts';
import type { NetworkFailureKind } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';

export const platform = 'TIKTOK';

const refusal = z.object({
  error: z.object({ code: z.string(), message: z.string().optional() }),
});
const businessRefusal = z.object({ code: z.number(), message: z.string().optional() });

/**
 * Error codes for the daily limits of a creator and of the app.
 *
 * Unverified: the codes. See docs/operations.md.
 */
export const dailyCaps: readonly string[] = ['spam_risk_too_many_posts', 'reached_active_user_cap'];
/** Error codes of the public API whose HTTP status would be misleading. */
const kinds: Readonly<Record<string, NetworkFailureKind>> = {
  access_token_invalid: 'tokenInvalid',
  access_token_expired: 'tokenInvalid',
  scope_not_authorized: 'scopeMissing',
  scope_permission_missed: 'scopeMissing',
  rate_limit_exceeded: 'rateLimited',
  ...Object.fromEntries(dailyCaps.map((code) => [code, 'rateLimited' as const])),
  invalid_publish_id: 'notFound',
};
/**
 * Error codes of the Business API, which returns status 200 for every error.
 *
 * Unverified: the codes, known only from third-party clients. See docs/operations.md.
 */
const businessKinds: Readonly<Record<number, NetworkFailureKind>> = {
  40001: 'scopeMissing',
  40100: 'rateLimited',
  40102: 'tokenInvalid',
  40104: 'tokenInvalid',
  40105: 'tokenInvalid',
  40133: 'rateLimited',
};
const firstBusinessFault = 50_000;
type KindOfCode = (code: number) => NetworkFailureKind;

type Call<T> = Omit<NetworkCall, 'platform' | 'url' | 'explain' | 'isFailure'> & {
  readonly path: string;
  readonly answer: z.ZodType<T>;
};

/**
 * Calls the public API with an account's token.
 *
 * @throws NetworkError if TikTok reports an error, with any status.
 */
export function call<T>(accessToken: string, request: Call<T>): Promise<T> {
  return callRaw(request, {
    url: `${config.networks.tiktok.apiBase}${request.path}`,
    headers: { authorization: `Bearer ${accessToken}` },
    isFailure: ({ json }) => codeOf(json) !== 'ok',
    explain: (answer) => explain(request, answer),
  });
}

/**
 * Calls the Business API, which serves comments and messages. It rejects tokens of the public API.
 *
 * @throws NetworkError if TikTok reports an error, even with status 200.
 */
export function callBusiness<T>(
  accessToken: string | undefined,
  request: Call<T>,
  kindOf: KindOfCode = (code) => businessKinds[code] ?? 'refused',
): Promise<T> {
  return callRaw(request, {
    url: `${config.networks.tiktok.businessApiBase}/open_api/v1.3${request.path}`,
    headers: accessToken === undefined ? {} : { 'access-token': accessToken },
    isFailure: ({ json }) => businessRefusal.safeParse(json).data?.code !== 0,
    explain: (answer) => explainBusiness(request, answer, kindOf),
  });
}

/** Sends a call without adding credentials, and parses the response. */
export async function callRaw<T>(
  { path: _path, answer, ...request }: Call<T>,
  more: Pick<NetworkCall, 'url' | 'headers' | 'isFailure' | 'explain'>,
): Promise<T> {
  const answered = await callNetwork({ ...request, ...more, platform });
  const kind = isRepeatable(request) ? 'unavailable' : 'outcomeUnknown';

  return readAnswer(platform, answer, answered, kind);
}

function codeOf(json: unknown): string | undefined {
  return refusal.safeParse(json).data?.error.code;
}

/**
 * Rate limits apply per minute or per day. TikTok does not return when they end. A 403 is
 * permanent, because it is about an unaudited app, the account or the content. Missing scopes have
 * their own codes.
 */
function explain(call: SentCall, { status, json }: NetworkAnswer): Explanation | undefined {
  const { code, message } = refusal.safeParse(json).data?.error ?? {};
  if (status >= 400 && (code === undefined || status >= 500)) {
    return undefined;
  }
  if (code === undefined || code === 'internal_error') {
    return { kind: failureKindOf(call), code, message };
  }
  const byStatus: Readonly<Record<number, NetworkFailureKind>> = {
    401: 'tokenInvalid',
    404: 'notFound',
    429: 'rateLimited',
  };
  const kind = kinds[code] ?? byStatus[status] ?? 'refused';

  return {
    kind,
    code,
    message: message || code,
    ...(kind === 'rateLimited'
      ? { retryAfterMs: dailyCaps.includes(code) ? hourMs : minuteMs }
      : {}),
  };
}

function explainBusiness(
  call: SentCall,
  { status, json }: NetworkAnswer,
  kindOf: KindOfCode,
): Explanation | undefined {
  if (status >= 400) {
    return undefined;
  }
  const { code, message } = businessRefusal.safeParse(json).data ?? {};
  if (code === undefined || code >= firstBusinessFault) {
    return { kind: failureKindOf(call), code: code?.toString(), message };
  }

  return { kind: kindOf(code), code: String(code), message };
}

type SentCall = Pick<NetworkCall, 'method' | 'isHarmless'>;

/** After an internal error at TikTok, it is unknown whether the call took effect. */
function failureKindOf(call: SentCall): NetworkFailureKind {
  return isRepeatable(call) ? 'unavailable' : 'outcomeUnknown';
}
