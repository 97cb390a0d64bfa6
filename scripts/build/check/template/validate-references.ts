import type { Template } from '#scripts/build/package/template.ts';
import { type Reference, referencesIn } from './references.ts';
import { resourceSpec } from './resource-spec.ts';

/** Finds references to resources, attributes and conditions that don't exist in the template. */
export function validateReferences(template: Template): string[] {
  return Object.entries(template.Resources).flatMap(([logicalId, resource]) =>
    referencesIn(resource, logicalId).flatMap((reference) => problemWith(reference, template)),
  );
}

function problemWith(reference: Reference, template: Template): string[] {
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
  const attributes = resourceSpec(resource.Type)?.attributes ?? {};
  if (kind === 'Fn::GetAtt' && !Object.hasOwn(attributes, attribute)) {
    return [`${path}: ${resource.Type} has no attribute ${attribute}`];
  }

  return [];
}
