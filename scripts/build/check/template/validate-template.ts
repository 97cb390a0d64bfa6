import type { Resource, Template } from '#scripts/build/package/template.ts';
import { findCycles } from './find-cycles.ts';
import { resourceSpec } from './resource-spec.ts';
import { validateProperties } from './validate-properties.ts';
import { validateReferences } from './validate-references.ts';

/**
 * Finds everything that CloudFormation would reject, based on AWS's own resource specification.
 *
 * @param nested the templates of nested stacks, whose outputs can be referenced.
 */
export function validateTemplate(
  template: Template,
  nested: Readonly<Record<string, Template>> = {},
): string[] {
  const resources = Object.entries(template.Resources).flatMap(([logicalId, resource]) =>
    validateResource(logicalId, resource),
  );

  return [...resources, ...validateReferences(template, nested), ...findCycles(template)];
}

function validateResource(logicalId: string, { Type, Properties = {} }: Resource): string[] {
  const spec = resourceSpec(Type);

  return spec
    ? validateProperties(Properties, spec.properties, `${logicalId} (${Type})`)
    : [`${logicalId}: unknown resource type ${Type}`];
}
