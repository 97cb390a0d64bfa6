import type { CompiledTemplate, Resource } from '#scripts/build/package/template.ts';

/** CloudFormation allows 500. The rest is reserved for resources added manually in an emergency. */
const resourceLimit = 470;
const templateLimitBytes = 1_000_000;
const functionNameLimit = 64;

/** Checks the size of the template and the length of names in it. */
export function checkLimits({ template, sizeBytes }: CompiledTemplate): string[] {
  const resources = Object.values(template.Resources);
  const problems = resources.flatMap(longFunctionName);
  if (resources.length > resourceLimit) {
    problems.push(`The template has ${resources.length} resources. The limit is ${resourceLimit}`);
  }
  if (sizeBytes > templateLimitBytes) {
    problems.push(`The template has ${sizeBytes} bytes. The limit is ${templateLimitBytes}`);
  }

  return problems;
}

function longFunctionName({ Type, Properties = {} }: Resource): string[] {
  const name = String(Properties.FunctionName);

  return Type === 'AWS::Lambda::Function' && name.length > functionNameLimit
    ? [`The function name ${name} has more than ${functionNameLimit} characters`]
    : [];
}
