export type Reference = {
  readonly kind: 'Ref' | 'Fn::GetAtt' | 'Condition' | 'DependsOn';
  readonly path: string;
  readonly name: string;
  readonly attribute?: string;
};

/** Finds all references in a resource, or in its part at `path`. */
export function referencesIn(value: unknown, path: string): readonly Reference[] {
  if (Array.isArray(value)) {
    return value.flatMap((entry, index) => referencesIn(entry, `${path}.${index}`));
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }

  return Object.entries(value).flatMap(([key, entry]) => {
    const inside = referencesIn(entry, `${path}.${key}`);

    return [...ownReferences(key, entry, path), ...inside];
  });
}

function ownReferences(key: string, value: unknown, path: string): readonly Reference[] {
  // At deeper levels, the same names are ordinary properties, such as the conditions of a policy
  // statement.
  const isResource = !path.includes('.');
  if (key === 'Ref' || (key === 'Condition' && isResource)) {
    return [{ kind: key, path, name: String(value) }];
  }
  if (key === 'DependsOn' && isResource) {
    return [value].flat().map((name) => ({ kind: key, path, name: String(name) }));
  }
  if (key === 'Fn::GetAtt') {
    const [name = '', ...attribute] = Array.isArray(value) ? value : String(value).split('.');

    return [{ kind: key, path, name, attribute: attribute.join('.') }];
  }

  return key === 'Fn::Sub' ? substitutions(value, path) : [];
}

/** Finds `${Name}` and `${Name.Attribute}`, except for names that the second argument defines. */
function substitutions(value: unknown, path: string): readonly Reference[] {
  const [text, defined = {}] = Array.isArray(value) ? value : [value];

  return [...String(text).matchAll(/\$\{([^!}][^}]*)\}/g)]
    .map(([, variable = '']) => variable)
    .filter((variable) => !Object.hasOwn(defined, variable))
    .map((variable): Reference => {
      const [name = '', ...attribute] = variable.split('.');

      return attribute.length === 0
        ? { kind: 'Ref', path, name }
        : { kind: 'Fn::GetAtt', path, name, attribute: attribute.join('.') };
    });
}
