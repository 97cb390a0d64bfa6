import type { Template } from '#scripts/build/package/template.ts';
import { validateTemplate } from './validate-template.ts';

/**
 * Finds everything that CloudFormation would reject in a stack and its nested stacks: in each
 * template, and in the parameters and outputs between them.
 *
 * @param nested the templates of the nested stacks, by their logical ids.
 */
export function validateStacks(
  template: Template,
  nested: Readonly<Record<string, Template>>,
): string[] {
  return [
    ...validateTemplate(template, nested),
    ...Object.entries(nested).flatMap(([stack, inner]) => [
      ...validateTemplate(inner).map((problem) => `${stack}: ${problem}`),
      ...parameterProblems(stack, template, inner),
    ]),
  ];
}

/** A nested stack needs a value for each parameter, and accepts no others. */
function parameterProblems(stack: string, template: Template, inner: Template): string[] {
  const given = Object.keys(template.Resources[stack]?.Properties?.Parameters ?? {});
  const declared = Object.keys(inner.Parameters ?? {});

  return [
    ...declared
      .filter((name) => !given.includes(name))
      .map((name) => `${stack}: the parameter ${name} has no value`),
    ...given
      .filter((name) => !declared.includes(name))
      .map((name) => `${stack}: there is no parameter ${name}`),
  ];
}
