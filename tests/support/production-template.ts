import { registry } from '#scripts/build/generate/registry.ts';
import { createServiceCopy } from '#scripts/build/package/service-copy.ts';
import { type CompiledTemplate, compileTemplate } from '#scripts/build/package/template.ts';

/** The variables that a deployment to prod needs. */
export const productionVariables = {
  PUBLIC_BASE_URL: 'https://api.example.com',
  MAIL_FROM: 'no-reply@example.com',
  ALARM_EMAIL: 'ops@example.com',
};

/** Packages the real functions for prod, with empty bundles. */
export async function compileProductionTemplate(
  variables: Readonly<Record<string, string>> = {},
): Promise<CompiledTemplate> {
  const service = createServiceCopy(registry);
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
