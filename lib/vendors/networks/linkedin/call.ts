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

export const platform = 'LINKEDIN';

export type LinkedInCall = Omit<NetworkCall, 'platform' | 'url' | 'query' | 'explain'> & {
  /** The path. Its Rest.li values are already encoded with `restli`. */
  readonly path: string;
  /** Values are already encoded, because the syntax of a Rest.li value must not be encoded. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
};

const failure = z.object({
  message: z.string().optional(),
  code: z.string().optional(),
  serviceErrorCode: z.number().optional(),
});

/** Calls LinkedIn for an account, with the API version from the configuration. */
export function call(
  { accessToken }: Pick<Credentials, 'accessToken'>,
  { path, query = {}, headers, ...request }: LinkedInCall,
): Promise<NetworkAnswer> {
  const { apiBase, apiVersion } = config.networks.linkedin;
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );

  return callNetwork({
    ...request,
    platform,
    url: `${apiBase}${path}${parts.length > 0 ? `?${parts.join('&')}` : ''}`,
    headers: {
      authorization: `Bearer ${accessToken}`,
      'linkedin-version': apiVersion,
      'x-restli-protocol-version': '2.0.0',
      ...headers,
    },
    explain: (answer) => explain(request, answer),
  });
}

/** Encodes a value for a Rest.li path or query, including the characters of Rest.li syntax. */
export function restli(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export function restliList(values: readonly string[]): string {
  return `List(${values.map(restli).join(',')})`;
}

const organizationPrefix = 'urn:li:organization:';
const personPrefix = 'urn:li:person:';

export function organizationUrn(id: string): string {
  return `${organizationPrefix}${id}`;
}

/** Returns the id from an organization's URN, or `undefined` for any other URN. */
export function organizationIdOf(urn: string): string | undefined {
  return urn.startsWith(organizationPrefix) ? urn.slice(organizationPrefix.length) : undefined;
}

/** Returns the bare id for a member, and the whole URN for any other author. */
export function authorIdOf(urn: string): string {
  return urn.startsWith(personPrefix) ? urn.slice(personPrefix.length) : urn;
}

function explain(request: Pick<NetworkCall, 'method'>, answer: NetworkAnswer): Explanation {
  const { message, code, serviceErrorCode } = failure.safeParse(answer.json).data ?? {};
  const kind = kindOf(request, answer.status);

  return {
    kind,
    message: message ?? `LinkedIn returned ${answer.status}`,
    code: code ?? (serviceErrorCode === undefined ? undefined : String(serviceErrorCode)),
    // Unverified: daily limits reset at midnight UTC. See docs/operations.md.
    retryAfterMs:
      kind === 'rateLimited' && !answer.headers.has('retry-after')
        ? dayMs - (now() % dayMs)
        : undefined,
  };
}
