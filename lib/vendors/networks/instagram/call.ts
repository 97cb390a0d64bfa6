import { config } from '#lib/platform/config.ts';
import {
  callNetwork,
  type NetworkAnswer,
  type NetworkCall,
} from '#lib/vendors/networks/call-network.ts';
import { explainGraph } from '#lib/vendors/networks/meta/explain-graph.ts';
import { isBelow } from '#lib/vendors/networks/meta/path-of.ts';
import type { Credentials } from '#lib/vendors/networks/network.ts';

type InstagramCall = Pick<
  NetworkCall,
  'method' | 'query' | 'form' | 'json' | 'isHarmless' | 'timeoutMs'
> & {
  /** After the version, with a slash in front. */
  readonly path: string;
};

/**
 * A call in the name of an account that logged in at Instagram, whose host is Instagram's own.
 *
 * @throws NetworkError
 */
export function callInstagram(
  { platformUserId, accessToken }: Credentials,
  { path, ...call }: InstagramCall,
): Promise<NetworkAnswer> {
  const isOwnAccount = isBelow(path, platformUserId);
  const { apiBase, apiVersion } = config.networks.instagram;

  return callNetwork({
    ...call,
    platform: 'INSTAGRAM',
    url: `${apiBase}/${apiVersion}${path}`,
    headers: { authorization: `Bearer ${accessToken}` },
    explain: (answer) => explainGraph({ ...call, isOwnAccount }, answer),
  });
}
