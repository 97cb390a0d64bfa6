import { minuteMs, now } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import {
  callNetwork,
  type Explanation,
  kindOf,
  type NetworkAnswer,
  type NetworkCall,
} from '#lib/vendors/networks/call-network.ts';
import type { Credentials } from '#lib/vendors/networks/network.ts';
import type { NetworkFailureKind } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { untilMidnightPacific } from './quota-reset.ts';

export type YouTubeCall = Omit<NetworkCall, 'platform' | 'url' | 'explain'> & {
  /** Below `/youtube/v3`. */
  readonly path: string;
};

const failure = z.object({
  error: z.object({
    message: z.string().optional(),
    status: z.string().optional(),
    errors: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
});

/** Used up for the day: the project's quota, or what one channel may upload. */
const dailyReasons = ['quotaExceeded', 'dailyLimitExceeded', 'uploadLimitExceeded'];
const rateReasons = ['rateLimitExceeded', 'userRateLimitExceeded', 'RATE_LIMIT_EXCEEDED'];
/** What a reason means where the status would mislead. */
const kindOfReason: Readonly<Record<string, NetworkFailureKind>> = {
  // A Google account without a channel: no new authorization helps.
  youtubeSignupRequired: 'refused',
  commentsDisabled: 'refused',
  videoNotProcessed: 'refused',
  channelClosed: 'refused',
  channelSuspended: 'refused',
  accountDelegationForbidden: 'refused',
  forbiddenPrivacySetting: 'refused',
  forbiddenLicenseSetting: 'refused',
};

/** Calls the Data API for a channel. */
export function callYouTube(
  credentials: Pick<Credentials, 'accessToken'>,
  { path, ...call }: YouTubeCall,
): Promise<NetworkAnswer> {
  const { apiBase } = config.networks.youtube;

  return callGoogle(credentials, { ...call, url: `${apiBase}/youtube/v3${path}` });
}

/** Calls any of Google's APIs with the channel's token. */
export function callGoogle(
  { accessToken }: Pick<Credentials, 'accessToken'>,
  { headers, ...call }: Omit<NetworkCall, 'platform' | 'explain'>,
): Promise<NetworkAnswer> {
  return callNetwork({
    ...call,
    platform: 'YOUTUBE',
    headers: { authorization: `Bearer ${accessToken}`, ...headers },
    explain: (answer) => explain(call, answer),
  });
}

function explain(
  call: Pick<NetworkCall, 'method' | 'isHarmless'>,
  answer: NetworkAnswer,
): Explanation {
  const { message, status, errors } = failure.safeParse(answer.json).data?.error ?? {};
  const code = errors?.[0]?.reason ?? status;
  const told = {
    message: message ?? `YouTube returned ${answer.status}`,
    code: code ?? String(answer.status),
  };
  if (dailyReasons.includes(told.code)) {
    return { ...told, kind: 'rateLimited', retryAfterMs: untilMidnightPacific(now()) };
  }
  if (rateReasons.includes(told.code)) {
    return { ...told, kind: 'rateLimited', retryAfterMs: minuteMs };
  }

  return { ...told, kind: kindOfReason[told.code] ?? kindOf(call, answer.status) };
}
