/** Returns the fields that have a value or null, without those that are undefined. */
export function definedFields<Fields extends object>(fields: Fields): Partial<Fields> {
  return without(fields, (value) => value === undefined);
}

/** Returns the fields that have a value, without those that are null or undefined. */
export function compact<Fields extends object>(fields: Fields): Fields {
  return without(fields, (value) => value === undefined || value === null) as Fields;
}

function without<Fields extends object>(
  fields: Fields,
  isLeftOut: (value: unknown) => boolean,
): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => !isLeftOut(value)),
  ) as Partial<Fields>;
}
