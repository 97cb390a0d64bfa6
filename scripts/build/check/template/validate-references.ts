import type { Resource, Template } from '#scripts/build/package/template.ts';
import { type Reference, referencesIn } from './references.ts';
import { resourceSpec } from './resource-spec.ts';

/** Finds references to resources, attributes and conditions that don't exist in the template. */
export function validateReferences(
  template: Template,
  nested: Readonly<Record<string, Template>> = {},
): string[] {
  const parts = { ...template.Resources, ...template.Outputs };

  return Object.entries(parts).flatMap(([logicalId, part]) =>
    referencesIn(part, logicalId).flatMap((reference) => problemWith(reference, template, nested)),
  );
}

function problemWith(
  reference: Reference,
  template: Template,
  nested: Readonly<Record<string, Template>>,
): string[] {
  const { kind, path, name, attribute = '' } = reference;
  if (kind === 'Condition') {
    return Object.hasOwn(template.Conditions ?? {}, name) ? [] : [`${path}: no condition ${name}`];
  }
  const isParameter = Object.hasOwn(template.Parameters ?? {}, name);
  if (kind === 'Ref' && (name.startsWith('AWS::') || isParameter)) {
    return [];
  }
  const resource = template.Resources[name];
  if (!resource) {
    return [`${path}: ${kind} of ${name}, which does not exist`];
  }

  return kind === 'Fn::GetAtt' && !hasAttribute(resource, attribute, nested[name])
    ? [`${path}: ${resource.Type} has no attribute ${attribute}`]
    : [];
}

/** The attributes of a nested stack are its outputs. */
function hasAttribute(
  { Type: type }: Resource,
  attribute: string,
  nested: Template | undefined,
): boolean {
  return nested
    ? Object.hasOwn(nested.Outputs ?? {}, attribute.replace(/^Outputs\./, ''))
    : Object.hasOwn(resourceSpec(type)?.attributes ?? {}, attribute);
}
