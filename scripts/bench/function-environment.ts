import { localEnvironment } from '#scripts/dev/stack/local-environment.ts';

/** Of the lowest cost that bcrypt knows: what a hash is worth is not what is measured. */
export const benchSettings = {
  STAGE: 'bench',
  TABLE_NAME: 'social-leads-bench',
  SECRET_ID: 'social-leads/bench',
  BCRYPT_COST: '4',
  // Once in ten seconds is no matter of a request.
  METRICS_FLUSH_SECONDS: '0',
} as const;

const nowhere = 'http://127.0.0.1:9';

/** The whole environment of a function whose vendors all answer at one address. */
export function functionEnvironment(vendors: string = nowhere): Readonly<Record<string, string>> {
  return {
    ...localEnvironment(
      { api: 'http://localhost:3000', dynamodb: vendors, aws: vendors, sandbox: vendors },
      benchSettings,
    ),
    // Bundles take their credentials as Lambda gives them.
    AWS_SESSION_TOKEN: 'local',
  };
}
