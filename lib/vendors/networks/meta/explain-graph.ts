import { cutToLength } from '#lib/platform/characters.ts';
import { minuteMs } from '#lib/platform/clock.ts';
import { parseJson } from '#lib/platform/parse-json.ts';
import {
  type Explanation,
  kindOf,
  type NetworkAnswer,
  type NetworkCall,
} from '#lib/vendors/networks/call-network.ts';
import type { NetworkFailureKind } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';

const maxMessageLength = 300;
const windowClosed = 2_018_278;
/** The object was deleted, or never existed. */
const goneSubcode = 33;
const unknownAlias = 803;
const mediaNotReady = 9_007;
const tokenCodes: ReadonlySet<number> = new Set([102, 104, 190, 2_500]);
const limitCodes: ReadonlySet<number> = new Set([4, 17, 32, 613]);
/** Failures that Meta documents as temporary. */
const outageCodes: ReadonlySet<number> = new Set([1, 2]);
/**
 * Instagram's daily limit of posts is reached.
 *
 * Unverified: code 9 with this subcode, known only from a third party. See docs/operations.md.
 */
const publishingLimit = 2_207_042;

const graphFailure = z.object({
  error: z.object({
    code: z.number(),
    error_subcode: z.number().optional(),
    message: z.string().default(''),
    is_transient: z.boolean().optional(),
  }),
});

type GraphError = z.output<typeof graphFailure>['error'];

type ExplainedCall = Pick<NetworkCall, 'method' | 'isHarmless'> & {
  /**
   * True if the object is the account itself, which exists. Meta sometimes reports it as not found
   * and finds it a moment later.
   */
  readonly isOwnAccount?: boolean;
};

/** Interprets an error of the Graph API. Facebook and Instagram share the error codes. */
export function explainGraph(call: ExplainedCall, answer: NetworkAnswer): Explanation | undefined {
  const parsed = graphFailure.safeParse(answer.json);
  if (!parsed.success) {
    return undefined;
  }
  const { error } = parsed.data;
  const kind = kindOfError(call, answer.status, error);

  return {
    kind,
    message: cutToLength(error.message, maxMessageLength) || undefined,
    code: error.error_subcode ? `${error.code}/${error.error_subcode}` : String(error.code),
    retryAfterMs: kind === 'rateLimited' ? announcedWait(answer.headers) : undefined,
  };
}

function kindOfError(
  call: ExplainedCall,
  status: number,
  { code, error_subcode: subcode, is_transient: isTransient }: GraphError,
): NetworkFailureKind {
  if (tokenCodes.has(code)) {
    return 'tokenInvalid';
  }
  if (isLimit(code, subcode)) {
    return 'rateLimited';
  }
  if (subcode === windowClosed) {
    return 'refused';
  }
  if (code === 10 || code === 3 || (code >= 200 && code < 300)) {
    return 'scopeMissing';
  }
  if ((code === 100 && subcode === goneSubcode) || code === unknownAlias) {
    return call.isOwnAccount ? 'unavailable' : 'notFound';
  }
  // The container is not finished. Nothing was published, and the same call succeeds later.
  if (code === mediaNotReady) {
    return 'unavailable';
  }
  if (outageCodes.has(code) || isTransient || status >= 500) {
    return kindOf(call, Math.max(status, 500));
  }

  return 'refused';
}

function isLimit(code: number, subcode: number | undefined): boolean {
  return limitCodes.has(code) || (code >= 80_000 && code <= 80_014) || subcode === publishingLimit;
}

const usage = z.record(
  z.string(),
  z.array(z.object({ estimated_time_to_regain_access: z.number().default(0) })),
);

/** Reads the wait in minutes from `X-Business-Use-Case-Usage`. `X-App-Usage` contains no time. */
function announcedWait(headers: Headers): number | undefined {
  const parsed = usage.safeParse(parseJson(headers.get('x-business-use-case-usage') ?? ''));
  const minutes = Object.values(parsed.data ?? {})
    .flat()
    .map((entry) => entry.estimated_time_to_regain_access);
  const longest = Math.max(0, ...minutes);

  return longest > 0 ? longest * minuteMs : undefined;
}
