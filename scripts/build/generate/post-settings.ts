import { postSettings } from '#schemas/post-settings.ts';
import type { GeneratedFile } from './generated-file.ts';
import { convertSchema, type JsonSchema } from './openapi/json-schema.ts';

/** The settings of a post on each network, from which the web app builds its form. */
export function generatePostSettings(): GeneratedFile {
  const networks = Object.entries(postSettings).map(([platform, schema]) => {
    const { schema: reference, components } = convertSchema(schema, 'input');
    const [{ properties } = reference] = Object.values(components);
    const fields = Object.entries(properties ?? {}).map(([name, property]) => [
      name,
      fieldOf(property),
    ]);

    return `"${platform}": ${JSON.stringify(Object.fromEntries(fields))}`;
  });

  return {
    path: 'packages/web/src/pages/content/post-settings.json',
    content: `{\n${networks.join(',\n')}\n}\n`,
  };
}

/** Returns the properties that a form needs. Empty fields are not sent, so null is not a choice. */
function fieldOf(schema: JsonSchema): JsonSchema {
  const given = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  const type = [given.type ?? 'string'].flat().find((one) => one !== 'null') ?? 'string';
  const choices = given.enum?.filter((choice) => choice !== null);

  return {
    type,
    ...(choices && { enum: choices }),
    ...(given.format && { format: given.format }),
    ...(given.maxLength === undefined ? {} : { maxLength: given.maxLength }),
    ...(given.maximum === undefined ? {} : { maximum: given.maximum }),
    ...(given.items && { maxItems: given.maxItems }),
  };
}
