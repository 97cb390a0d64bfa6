import { localEnvironment } from '#scripts/dev/stack/local-environment.ts';

/** bcrypt's lowest cost, because hashing is not measured. */
export const benchSettings = {
  STAGE: 'bench',
  TABLE_NAME: 'social-leads-bench',
  SECRET_ID: 'social-leads/bench',
  BCRYPT_COST: '4',
  // Disabled, because metrics are written every ten seconds and not with each request.
  METRICS_FLUSH_SECONDS: '0',
  // At these limits, one request in ten million writes to a counter. The cost report adds its share.
  REQUEST_LIMIT_PER_USER: '1000000000',
  REQUEST_LIMIT_PER_ORGANIZATION: '1000000000',
  PUBLIC_LIMIT_PER_IP: '1000000000',
  DOCUMENT_LIMIT_PER_IP: '1000000000',
  APP_LIMIT_PER_IP: '1000000000',
  WEBHOOK_LIMIT_PER_IP: '1000000000',
  AI_CALLS_PER_ORGANIZATION_DAY: '1000000000',
  // Replies are planned together with the message, without waiting for more messages.
  REPLY_QUIET_SECONDS: '0',
} as const;

const nowhere = 'http://127.0.0.1:9';

/** A function's complete environment, with all vendors at one URL. */
export function functionEnvironment(vendors: string = nowhere): Readonly<Record<string, string>> {
  return {
    ...localEnvironment(
      { api: 'http://localhost:3000', dynamodb: vendors, aws: vendors, sandbox: vendors },
      benchSettings,
    ),
    // Bundles expect session credentials, as Lambda provides them.
    AWS_SESSION_TOKEN: 'local',
  };
}
