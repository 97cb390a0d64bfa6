import type { Bundle } from '#scripts/build/package/build.ts';
import type { CompiledTemplate } from '#scripts/build/package/template.ts';
import { checkBundles } from './bundles.ts';
import { checkRoles } from './roles.ts';
import { checkLimits } from './template/check-limits.ts';
import { findRejectedValues } from './template/find-rejected-values.ts';
import { findWildcards } from './template/find-wildcards.ts';
import { validateStacks } from './template/validate-stacks.ts';
import { validateWithAws } from './template/validate-with-aws.ts';

/**
 * Finds problems in bundles and template: things that AWS would reject, and things that the project
 * does not allow.
 */
export async function findPackageProblems(
  bundles: readonly Bundle[],
  compiled: CompiledTemplate,
  stage: string,
): Promise<readonly string[]> {
  const { template, nested, whole } = compiled;

  return [
    ...checkBundles(bundles),
    ...checkLimits(compiled),
    ...findWildcards(whole, stage),
    ...validateStacks(template, nested),
    ...(await checkRoles(bundles, whole)),
    ...validateWithAws(whole),
    ...(await findRejectedValues(whole)),
  ];
}
