import { localEnvironment } from '#scripts/dev/stack/local-environment.ts';

/** bcrypt's lowest cost, because hashing is not what is measured. */
export const benchSettings = {
  STAGE: 'bench',
  TABLE_NAME: 'social-leads-bench',
  SECRET_ID: 'social-leads/bench',
  BCRYPT_COST: '4',
  // Disabled because metrics are flushed only every ten seconds and not with each request.
  METRICS_FLUSH_SECONDS: '0',
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
