import { now, secondMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import {
  callNetwork,
  type Explanation,
  kindOf,
  type NetworkAnswer,
  type NetworkCall,
} from '#lib/vendors/networks/call-network.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import * as z from '#schemas/zod.ts';

const problem = z.object({
  title: z.string().optional(),
  detail: z.string().optional(),
  type: z.string().optional(),
  errors: z.array(z.object({ message: z.string().optional() })).optional(),
});

type TwitterCall<T> = Omit<NetworkCall, 'platform' | 'url' | 'explain'> & {
  readonly path: string;
  /** The account's token, or the app's own. Absent where the caller sends another authorization. */
  readonly token?: string;
  /** What of the answer is used. */
  readonly answer: z.ZodType<T>;
  readonly explain?: NetworkCall['explain'];
};

/**
 * Calls X and returns what of its answer is used.
 *
 * @throws NetworkError for everything that X refuses, and for an answer of another shape.
 */
export async function callTwitter<T>({
  path,
  token,
  answer,
  explain = explainTwitter,
  ...call
}: TwitterCall<T>): Promise<T> {
  const isHarmless = call.method === 'GET' || (call.isHarmless ?? false);
  const given = await callNetwork({
    ...call,
    explain,
    platform: 'TWITTER',
    url: `${config.networks.twitter.apiBase}${path}`,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...call.headers,
    },
  });

  return readAnswer('TWITTER', answer, given, isHarmless ? 'unavailable' : 'outcomeUnknown');
}

/**
 * X says what went wrong in `title`, `detail` and, for parameters, `errors`. A 403 that gives a
 * reason is about the content, the plan or the account, and for good; without one it is about the
 * token's scopes.
 */
function explainTwitter({ status, headers, json }: NetworkAnswer): Explanation | undefined {
  if (status >= 500 || status < 400) {
    return undefined;
  }
  const { title, detail, type, errors } = problem.safeParse(json).data ?? {};
  const message = errors?.[0]?.message ?? detail ?? title;
  const named = { message, code: title };
  if (status === 429) {
    return { ...named, kind: 'rateLimited', retryAfterMs: untilReset(headers) };
  }
  const isReasoned = message !== undefined && !isAboutScopes(message, type);
  if (status === 403 && isReasoned) {
    return { ...named, kind: 'refused' };
  }

  return { ...named, kind: kindOf({ method: 'GET' }, status) };
}

function isAboutScopes(message: string, type = ''): boolean {
  return message === 'Forbidden' || /scope/i.test(message) || /oauth1-permissions$/.test(type);
}

/** `x-rate-limit-reset` is a moment, in seconds since the epoch. */
function untilReset(headers: Headers): number | undefined {
  const reset = Number(headers.get('x-rate-limit-reset') ?? Number.NaN);

  return Number.isFinite(reset) ? Math.max(reset * secondMs - now(), secondMs) : undefined;
}
