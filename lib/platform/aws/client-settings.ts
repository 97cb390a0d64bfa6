import { config } from '#lib/platform/config.ts';

type Reach = {
  /** The URL of the AWS service. Undefined for AWS itself. */
  readonly endpoint: string | undefined;
  readonly connectMs: number;
  readonly requestMs: number;
  /** Attempts per call, including the first. */
  readonly maxAttempts: number;
};

/**
 * Common settings of AWS clients. The SDK looks up each missing setting in the environment and in
 * two profile files. Those do not exist in Lambda, but looking for them takes a tenth of the first
 * request.
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
