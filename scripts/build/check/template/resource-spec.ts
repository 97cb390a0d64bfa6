import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';

const database = loadAwsServiceSpecSync();

type AwsResource = ReturnType<typeof database.all<'resource'>>[number];

export type PropertySpec = AwsResource['properties'][string];
export type PropertyType = PropertySpec['type'];
export type Properties = Readonly<Record<string, PropertySpec>>;

/** Returns AWS's specification of a resource type, or undefined if the type does not exist. */
export function resourceSpec(type: string): AwsResource | undefined {
  return [...database.lookup('resource', 'cloudFormationType', 'equals', type)][0];
}

/** Returns the properties of the structure that a property's type refers to. */
export function structureProperties(type: PropertyType & { type: 'ref' }): Properties {
  return database.get('typeDefinition', type.reference).properties;
}
