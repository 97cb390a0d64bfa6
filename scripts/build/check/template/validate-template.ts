import type { Resource, Template } from '#scripts/build/package/template.ts';
import { findCycles } from './find-cycles.ts';
import { resourceSpec } from './resource-spec.ts';
import { validateProperties } from './validate-properties.ts';
import { validateReferences } from './validate-references.ts';

/** What CloudFormation would refuse of a template, by AWS's own specification of its resources. */
export function validateTemplate(template: Template): string[] {
  const resources = Object.entries(template.Resources).flatMap(([logicalId, resource]) =>
    validateResource(logicalId, resource),
  );

  return [...resources, ...validateReferences(template), ...findCycles(template)];
}

function validateResource(logicalId: string, { Type, Properties = {} }: Resource): string[] {
  const spec = resourceSpec(Type);

  return spec
    ? validateProperties(Properties, spec.properties, `${logicalId} (${Type})`)
    : [`${logicalId}: there is no resource of the type ${Type}`];
}
