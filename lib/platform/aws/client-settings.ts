import { config } from '#lib/platform/config.ts';

type Reach = {
  /** Where the service is, if not in AWS. */
  readonly endpoint: string | undefined;
  readonly connectMs: number;
  readonly requestMs: number;
  /** Of one call, the first try included. */
  readonly maxAttempts: number;
};

/**
 * What clients of AWS have in common. The SDK looks for each setting that is not given to it in the
 * environment, and in two files of a developer's profiles: in Lambda there are none, and reading them
 * takes a tenth of the first request.
 */
export function clientSettings({ endpoint, connectMs, requestMs, maxAttempts }: Reach) {
  return {
    region: async () => config.region,
    maxAttempts,
    defaultsMode: 'standard',
    retryMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    disableClockSkewCorrection: false,
    ignoreConfiguredEndpointUrls: true,
    authSchemePreference: async () => [],
    userAgentAppId: async () => undefined,
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: requestMs,
      throwOnRequestTimeout: true,
    },
    ...(endpoint ? { endpoint } : {}),
  } as const;
}
