import { hourMs, minuteMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import {
  callNetwork,
  type Explanation,
  type NetworkAnswer,
  type NetworkCall,
} from '#lib/vendors/networks/call-network.ts';
import type { NetworkFailureKind } from '#lib/vendors/networks/network-error.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import * as z from '#schemas/zod.ts';
import { parseWithLongIds } from './parse-with-long-ids.ts';

const refusal = z.object({
  error: z.object({ code: z.string(), message: z.string().optional() }),
});
const businessRefusal = z.object({ code: z.number(), message: z.string().optional() });

/** What a creator, or this app, may publish within a day is used up. From memory: see the vendor's page. */
export const dailyCaps: readonly string[] = ['spam_risk_too_many_posts', 'reached_active_user_cap'];
/** Codes of the public API that mean something else than their status says. */
const kinds: Readonly<Record<string, NetworkFailureKind>> = {
  access_token_invalid: 'tokenInvalid',
  access_token_expired: 'tokenInvalid',
  scope_not_authorized: 'scopeMissing',
  scope_permission_missed: 'scopeMissing',
  rate_limit_exceeded: 'rateLimited',
  ...Object.fromEntries(dailyCaps.map((code) => [code, 'rateLimited' as const])),
  invalid_publish_id: 'notFound',
};
/** Codes of the Business API, which answers 200 to everything. Known from clients alone. */
const businessKinds: Readonly<Record<number, NetworkFailureKind>> = {
  40001: 'scopeMissing',
  40100: 'rateLimited',
  40102: 'tokenInvalid',
  40104: 'tokenInvalid',
  40105: 'tokenInvalid',
  40133: 'rateLimited',
};
const firstBusinessFault = 50_000;

type TiktokCall<T> = Omit<NetworkCall, 'platform' | 'url' | 'explain' | 'isFailure'> & {
  readonly path: string;
  /** What of the answer is used. */
  readonly answer: z.ZodType<T>;
};

/**
 * Calls the public API with an account's token.
 *
 * @throws NetworkError for everything that TikTok refuses, whatever the status.
 */
export function callTiktok<T>(accessToken: string, call: TiktokCall<T>): Promise<T> {
  return sendToTiktok(call, {
    url: `${config.networks.tiktok.apiBase}${call.path}`,
    headers: { authorization: `Bearer ${accessToken}` },
    isFailure: ({ json }) => codeOf(json) !== 'ok',
    explain: (answer) => explain(call, answer),
  });
}

/**
 * Calls the Business API, which comments and messages need. The account's one token is used for
 * both APIs: an account must have been authorized for both.
 *
 * @throws NetworkError for everything that TikTok refuses, though it answers 200.
 */
export function callTiktokBusiness<T>(
  accessToken: string | undefined,
  call: TiktokCall<T>,
): Promise<T> {
  return sendToTiktok(call, {
    url: `${config.networks.tiktok.businessApiBase}/open_api/v1.3${call.path}`,
    headers: accessToken === undefined ? {} : { 'access-token': accessToken },
    isFailure: ({ json }) => businessRefusal.safeParse(json).data?.code !== 0,
    explain: (answer) => explainBusiness(call, answer),
  });
}

/** Sends a call and reads of its answer what is used. */
export async function sendToTiktok<T>(
  { path: _path, answer, ...call }: TiktokCall<T>,
  more: Pick<NetworkCall, 'url' | 'headers' | 'isFailure' | 'explain'>,
): Promise<T> {
  const given = await callNetwork({ ...call, ...more, platform: 'TIKTOK' });
  const kind = isHarmless(call) ? 'unavailable' : 'outcomeUnknown';

  return readAnswer('TIKTOK', answer, { ...given, json: parsedOrNothing(given.text) }, kind);
}

function parsedOrNothing(text: string): unknown {
  try {
    return parseWithLongIds(text);
  } catch {
    return undefined;
  }
}

function codeOf(json: unknown): string | undefined {
  return refusal.safeParse(json).data?.error.code;
}

/**
 * Limits are for a minute, or a day, and no answer says when it is over.
 * A 403 is about the app (not audited), the account or the content, and for good; what is about
 * scopes says so in its code.
 */
function explain(call: Sent, { status, json }: NetworkAnswer): Explanation | undefined {
  const { code, message } = refusal.safeParse(json).data?.error ?? {};
  if (status >= 400 && (code === undefined || status >= 500)) {
    return undefined;
  }
  if (code === undefined || code === 'internal_error') {
    return { kind: faultOf(call), code, message };
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

function explainBusiness(call: Sent, { status, json }: NetworkAnswer): Explanation | undefined {
  if (status >= 400) {
    return undefined;
  }
  const { code, message } = businessRefusal.safeParse(json).data ?? {};
  if (code === undefined || code >= firstBusinessFault) {
    return { kind: faultOf(call), code: code?.toString(), message };
  }

  return { kind: businessKinds[code] ?? 'refused', code: String(code), message };
}

type Sent = Pick<NetworkCall, 'method' | 'isHarmless'>;

/** A fault of TikTok's own leaves open what was done. */
function faultOf(call: Sent): NetworkFailureKind {
  return isHarmless(call) ? 'unavailable' : 'outcomeUnknown';
}

function isHarmless(call: Sent): boolean {
  return call.method === 'GET' || (call.isHarmless ?? false);
}
