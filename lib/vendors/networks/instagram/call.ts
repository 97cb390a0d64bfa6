import { config } from '#lib/platform/config.ts';
import { callNetwork, type NetworkAnswer } from '#lib/vendors/networks/call-network.ts';
import { explainGraph } from '#lib/vendors/networks/meta/explain-graph.ts';
import { isBelow } from '#lib/vendors/networks/meta/graph-call.ts';
import type { MetaRequest } from '#lib/vendors/networks/meta/meta-request.ts';
import type { Credentials } from '#lib/vendors/networks/network.ts';

export const platform = 'INSTAGRAM';

/**
 * Calls Instagram's Graph API for an account that logged in at Instagram.
 *
 * @throws NetworkError
 */
export function call(
  { platformUserId, accessToken }: Credentials,
  { path, ...request }: MetaRequest,
): Promise<NetworkAnswer> {
  const isOwnAccount = isBelow(path, platformUserId);
  const { apiBase, apiVersion } = config.networks.instagram;

  return callNetwork({
    ...request,
    platform,
    url: `${apiBase}/${apiVersion}${path}`,
    headers: { authorization: `Bearer ${accessToken}` },
    explain: (answer) => explainGraph({ ...request, isOwnAccount }, answer),
  });
}
