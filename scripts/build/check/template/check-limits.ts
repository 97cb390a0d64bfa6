import type { CompiledTemplate, Resource } from '#scripts/build/package/template.ts';

/** CloudFormation takes 500; the rest is for what a deployment in need adds by hand. */
const resourceLimit = 470;
const templateLimitBytes = 1_000_000;
const functionNameLimit = 64;

/** What is larger than it may be: the template, and the names in it. */
export function checkLimits({ template, sizeBytes }: CompiledTemplate): string[] {
  const resources = Object.values(template.Resources);
  const problems = resources.flatMap(longFunctionName);
  if (resources.length > resourceLimit) {
    problems.push(`The template has ${resources.length} resources; the limit is ${resourceLimit}`);
  }
  if (sizeBytes > templateLimitBytes) {
    problems.push(`The template has ${sizeBytes} bytes; the limit is ${templateLimitBytes}`);
  }

  return problems;
}

function longFunctionName({ Type, Properties = {} }: Resource): string[] {
  const name = String(Properties.FunctionName);

  return Type === 'AWS::Lambda::Function' && name.length > functionNameLimit
    ? [`The function's name ${name} has more than ${functionNameLimit} characters`]
    : [];
}
