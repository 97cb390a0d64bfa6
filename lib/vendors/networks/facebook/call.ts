import { config } from '#lib/platform/config.ts';
import {
  callNetwork,
  type NetworkAnswer,
  type NetworkCall,
} from '#lib/vendors/networks/call-network.ts';
import { explainGraph } from '#lib/vendors/networks/meta/explain-graph.ts';
import { isBelow } from '#lib/vendors/networks/meta/graph-call.ts';
import type { MetaRequest } from '#lib/vendors/networks/meta/meta-request.ts';
import type { Credentials } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { hmacOf } from '#lib/vendors/networks/signature.ts';

export const platform = 'FACEBOOK';

/**
 * Calls the Graph API as a page. `appsecret_proof` shows that the call comes from this server and
 * not from someone who found the token.
 *
 * Unverified: the format of the proof. See docs/operations.md.
 *
 * @throws NetworkError
 */
export async function call(
  { platformUserId, accessToken }: Credentials,
  request: MetaRequest,
): Promise<NetworkAnswer> {
  const { clientSecret } = await networkApp(platform);
  const proof = hmacOf(clientSecret, accessToken).toString('hex');

  return callGraph({
    ...request,
    query: { ...request.query, appsecret_proof: proof },
    headers: { authorization: `Bearer ${accessToken}` },
    isOwnAccount: isBelow(request.path, platformUserId),
  });
}

/**
 * Calls the Graph API as the app, with a proof of the secret if needed.
 *
 * @throws NetworkError
 */
export async function callAsApp(
  request: MetaRequest,
  { withProof = false } = {},
): Promise<NetworkAnswer> {
  const { clientId, clientSecret } = await networkApp(platform);
  const token = `${clientId}|${clientSecret}`;
  const proof = withProof ? { appsecret_proof: hmacOf(clientSecret, token).toString('hex') } : {};

  return callGraph({ ...request, query: { ...request.query, ...proof, access_token: token } });
}

function callGraph({
  path,
  isOwnAccount = false,
  ...request
}: MetaRequest &
  Pick<NetworkCall, 'headers'> & { readonly isOwnAccount?: boolean }): Promise<NetworkAnswer> {
  const { apiBase, apiVersion } = config.networks.facebook;

  return callNetwork({
    ...request,
    platform,
    url: `${apiBase}/${apiVersion}${path}`,
    explain: (answer) => explainGraph({ ...request, isOwnAccount }, answer),
  });
}
