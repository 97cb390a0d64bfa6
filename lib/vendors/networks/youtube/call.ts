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

export const platform = 'YOUTUBE';

export type YouTubeCall = Omit<NetworkCall, 'platform' | 'url' | 'explain'> & {
  /** Relative to `/youtube/v3`. */
  readonly path: string;
};

const failure = z.object({
  error: z.object({
    message: z.string().optional(),
    status: z.string().optional(),
    errors: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
});

/** Errors for a daily limit: the project's quota or the channel's uploads. */
const dailyReasons = ['quotaExceeded', 'dailyLimitExceeded', 'uploadLimitExceeded'];
const rateReasons = ['rateLimitExceeded', 'userRateLimitExceeded', 'RATE_LIMIT_EXCEEDED'];
/** Reasons whose HTTP status would be misleading. */
const kindOfReason: Readonly<Record<string, NetworkFailureKind>> = {
  // The Google account has no channel, so a new authorization does not help.
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
export function call(
  credentials: Pick<Credentials, 'accessToken'>,
  { path, ...request }: YouTubeCall,
): Promise<NetworkAnswer> {
  const { apiBase } = config.networks.youtube;

  return callGoogle(credentials, { ...request, url: `${apiBase}/youtube/v3${path}` });
}

/** Calls any Google API with the channel's token. */
export function callGoogle(
  { accessToken }: Pick<Credentials, 'accessToken'>,
  { headers, ...request }: Omit<NetworkCall, 'platform' | 'explain'>,
): Promise<NetworkAnswer> {
  return callNetwork({
    ...request,
    platform,
    headers: { authorization: `Bearer ${accessToken}`, ...headers },
    explain: (answer) => explain(request, answer),
  });
}

function explain(
  request: Pick<NetworkCall, 'method' | 'isHarmless'>,
  answer: NetworkAnswer,
): Explanation {
  const { message, status, errors } = failure.safeParse(answer.json).data?.error ?? {};
  const code = errors?.[0]?.reason ?? status;
  const details = {
    message: message ?? `YouTube returned ${answer.status}`,
    code: code ?? String(answer.status),
  };
  if (dailyReasons.includes(details.code)) {
    return { ...details, kind: 'rateLimited', retryAfterMs: untilMidnightPacific(now()) };
  }
  if (rateReasons.includes(details.code)) {
    return { ...details, kind: 'rateLimited', retryAfterMs: minuteMs };
  }

  return { ...details, kind: kindOfReason[details.code] ?? kindOf(request, answer.status) };
}
