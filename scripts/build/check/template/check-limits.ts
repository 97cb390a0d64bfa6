import type { CompiledTemplate, Resource } from '#scripts/build/package/template.ts';

/** CloudFormation allows 500. The rest is reserved for resources added manually in an emergency. */
const resourceLimit = 470;
const templateLimitBytes = 1_000_000;
const functionNameLimit = 64;

/** Checks the size of the template and the length of names in it. */
export function checkLimits({
  template,
  sizeBytes,
}: Pick<CompiledTemplate, 'template' | 'sizeBytes'>): string[] {
  const resources = Object.values(template.Resources);
  const problems = resources.flatMap(longFunctionName);
  if (resources.length > resourceLimit) {
    problems.push(`The template has ${resources.length} resources. The limit is ${resourceLimit}`);
  }
  if (sizeBytes > templateLimitBytes) {
    problems.push(
      `The template has ${sizeBytes} bytes. The limit is ${templateLimitBytes}${largestVariable(resources)}`,
    );
  }

  return problems;
}

/** A variable is repeated in each function, so a long value fills the template. */
function largestVariable(resources: readonly Resource[]): string {
  const bytes = new Map<string, number>();
  for (const { Properties = {} } of resources) {
    const { Variables = {} } = (Properties.Environment ?? {}) as {
      Variables?: Readonly<Record<string, unknown>>;
    };
    for (const [name, value] of Object.entries(Variables)) {
      bytes.set(name, (bytes.get(name) ?? 0) + Buffer.byteLength(JSON.stringify(value)));
    }
  }
  const [largest] = [...bytes].toSorted(([, one], [, other]) => other - one);

  return largest
    ? `. The largest environment variable is ${largest[0]}: ${largest[1]} bytes in all functions`
    : '';
}

function longFunctionName({ Type, Properties = {} }: Resource): string[] {
  const name = String(Properties.FunctionName);

  return Type === 'AWS::Lambda::Function' && name.length > functionNameLimit
    ? [`The function name ${name} has more than ${functionNameLimit} characters`]
    : [];
}
