import { dayMs, now } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import {
  callNetwork,
  type Explanation,
  kindOf,
  type NetworkAnswer,
  type NetworkCall,
} from '#lib/vendors/networks/call-network.ts';
import type { Credentials } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';

export type LinkedInCall = Omit<NetworkCall, 'platform' | 'url' | 'query' | 'explain'> & {
  /** Rest.li values in it are encoded already: see `restli`. */
  readonly path: string;
  /** Values are encoded already, as the structure of a Rest.li value must not be. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
};

const failure = z.object({
  message: z.string().optional(),
  code: z.string().optional(),
  serviceErrorCode: z.number().optional(),
});

/** Calls LinkedIn for an account, with the version that this service is written for. */
export function callLinkedIn(
  { accessToken }: Pick<Credentials, 'accessToken'>,
  { path, query = {}, headers, ...call }: LinkedInCall,
): Promise<NetworkAnswer> {
  const { apiBase, apiVersion } = config.networks.linkedin;
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );

  return callNetwork({
    ...call,
    platform: 'LINKEDIN',
    url: `${apiBase}${path}${parts.length > 0 ? `?${parts.join('&')}` : ''}`,
    headers: {
      authorization: `Bearer ${accessToken}`,
      'linkedin-version': apiVersion,
      'x-restli-protocol-version': '2.0.0',
      ...headers,
    },
    explain: (answer) => explain(call, answer),
  });
}

/** A value inside a Rest.li path or query: the characters of its structure are escaped too. */
export function restli(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** `List(…)` of values that are not encoded yet. */
export function restliList(values: readonly string[]): string {
  return `List(${values.map(restli).join(',')})`;
}

const organizationPrefix = 'urn:li:organization:';
const personPrefix = 'urn:li:person:';

export function organizationUrn(id: string): string {
  return `${organizationPrefix}${id}`;
}

/** The id in the URN of an organization; `undefined` for any other URN. */
export function organizationIdOf(urn: string): string | undefined {
  return urn.startsWith(organizationPrefix) ? urn.slice(organizationPrefix.length) : undefined;
}

/** A member is known by the bare id, everybody else (another organization) by the whole URN. */
export function authorIdOf(urn: string): string {
  return urn.startsWith(personPrefix) ? urn.slice(personPrefix.length) : urn;
}

function explain(call: Pick<NetworkCall, 'method'>, answer: NetworkAnswer): Explanation {
  const { message, code, serviceErrorCode } = failure.safeParse(answer.json).data ?? {};
  const kind = kindOf(call, answer.status);

  return {
    kind,
    message: message ?? `LinkedIn returned ${answer.status}`,
    code: code ?? (serviceErrorCode === undefined ? undefined : String(serviceErrorCode)),
    // Daily limits end at midnight UTC. From memory: to be checked before going live.
    retryAfterMs:
      kind === 'rateLimited' && !answer.headers.has('retry-after')
        ? dayMs - (now() % dayMs)
        : undefined,
  };
}
