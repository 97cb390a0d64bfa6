import { registry } from '#scripts/build/generate/registry.ts';
import { type CompiledTemplate, compileTemplate } from '#scripts/build/package/template.ts';
import { createFixtureService } from '#tests/support/fixture-service.ts';

/** The variables that a deployment to prod needs. */
export const productionVariables = {
  APP_URL: 'https://app.example.com',
  PUBLIC_BASE_URL: 'https://api.example.com',
  ALLOWED_ORIGINS: 'https://app.example.com',
  MAIL_FROM: 'no-reply@example.com',
  ALARM_EMAIL: 'ops@example.com',
};

/** Packages the real functions for prod, with empty bundles. */
export async function compileProductionTemplate(
  variables: Readonly<Record<string, string>> = {},
): Promise<CompiledTemplate> {
  const service = createFixtureService(registry);
  try {
    return await compileTemplate(service.folder, ['--stage', 'prod'], {
      ...process.env,
      ...productionVariables,
      ...variables,
    });
  } finally {
    service.remove();
  }
}
