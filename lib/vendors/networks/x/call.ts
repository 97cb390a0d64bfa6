import { now, secondMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { notePaidCall } from '#lib/vendors/networks/call-counts.ts';
import {
  callNetwork,
  type Explanation,
  isGet,
  isRepeatable,
  kindOf,
  type NetworkAnswer,
  type NetworkCall,
  readAnswer,
} from '#lib/vendors/networks/call-network.ts';
import * as z from '#schemas/zod.ts';

export const platform = 'TWITTER';

/** Token requests are free. */
const tokenPaths = '/2/oauth2/';

const problem = z.object({
  title: z.string().optional(),
  detail: z.string().optional(),
  type: z.string().optional(),
  errors: z.array(z.object({ message: z.string().optional() })).optional(),
});

type Call<T> = Omit<NetworkCall, 'platform' | 'url' | 'explain'> & {
  readonly path: string;
  /** A user token or the app token. Omitted if the caller sends another `authorization` header. */
  readonly token?: string;
  readonly answer: z.ZodType<T>;
  readonly explain?: NetworkCall['explain'];
};

/**
 * Calls X and returns the parsed answer.
 *
 * @throws NetworkError if X rejects the call, or if the answer does not match the schema.
 */
export async function call<T>({
  path,
  token,
  answer,
  explain: explainAnswer = explain,
  ...request
}: Call<T>): Promise<T> {
  const answered = await callNetwork({
    ...request,
    explain: explainAnswer,
    platform,
    url: `${config.networks.twitter.apiBase}${path}`,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...request.headers,
    },
  });
  if (!path.startsWith(tokenPaths)) {
    notePaidCall(isGet(request) ? 'read' : 'write');
  }

  return readAnswer(
    platform,
    answer,
    answered,
    isRepeatable(request) ? 'unavailable' : 'outcomeUnknown',
  );
}

/**
 * X describes errors in `title`, `detail` and, for parameters, `errors`. A 403 with a reason is
 * permanent: it is about the content, the plan or the account. A 403 without a reason means missing
 * scopes.
 */
function explain({ status, headers, json }: NetworkAnswer): Explanation | undefined {
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

/** `x-rate-limit-reset` is a timestamp in seconds since the epoch. */
function untilReset(headers: Headers): number | undefined {
  const reset = Number(headers.get('x-rate-limit-reset') ?? Number.NaN);

  return Number.isFinite(reset) ? Math.max(reset * secondMs - now(), secondMs) : undefined;
}
