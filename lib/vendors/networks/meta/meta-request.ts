import type { NetworkAnswer, NetworkCall } from '#lib/vendors/networks/call-network.ts';

export type MetaRequest = Pick<
  NetworkCall,
  'method' | 'query' | 'form' | 'json' | 'isHarmless' | 'timeoutMs'
> & {
  /** Appended to the version. Starts with a slash. */
  readonly path: string;
};

/** A call on behalf of one account. */
export type MetaCall = (request: MetaRequest) => Promise<NetworkAnswer>;
