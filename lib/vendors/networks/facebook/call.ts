import { config } from '#lib/platform/config.ts';
import {
  callNetwork,
  type NetworkAnswer,
  type NetworkCall,
} from '#lib/vendors/networks/call-network.ts';
import { explainGraph } from '#lib/vendors/networks/meta/explain-graph.ts';
import { isBelow } from '#lib/vendors/networks/meta/path-of.ts';
import type { Credentials } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { hmacOf } from '#lib/vendors/networks/signature.ts';

type FacebookCall = Pick<
  NetworkCall,
  'method' | 'query' | 'form' | 'json' | 'isHarmless' | 'timeoutMs'
> & {
  /** After the version, with a slash in front. */
  readonly path: string;
};

/**
 * A call of the Graph API in a page's name. The proof shows that it is this server that calls, and
 * not somebody who found the token; M: its form is from memory.
 *
 * @throws NetworkError
 */
export async function callFacebook(
  { platformUserId, accessToken }: Credentials,
  call: FacebookCall,
): Promise<NetworkAnswer> {
  const { clientSecret } = await networkApp('FACEBOOK');
  const proof = hmacOf(clientSecret, accessToken).toString('hex');

  return callGraph({
    ...call,
    query: { ...call.query, appsecret_proof: proof },
    headers: { authorization: `Bearer ${accessToken}` },
    isOwnAccount: isBelow(call.path, platformUserId),
  });
}

/** A call in the app's own name. @throws NetworkError */
export async function callFacebookAsApp(call: FacebookCall): Promise<NetworkAnswer> {
  const { clientId, clientSecret } = await networkApp('FACEBOOK');

  return callGraph({
    ...call,
    query: { ...call.query, access_token: `${clientId}|${clientSecret}` },
  });
}

function callGraph({
  path,
  isOwnAccount = false,
  ...call
}: FacebookCall &
  Pick<NetworkCall, 'headers'> & { readonly isOwnAccount?: boolean }): Promise<NetworkAnswer> {
  const { apiBase, apiVersion } = config.networks.facebook;

  return callNetwork({
    ...call,
    platform: 'FACEBOOK',
    url: `${apiBase}/${apiVersion}${path}`,
    explain: (answer) => explainGraph({ ...call, isOwnAccount }, answer),
  });
}
