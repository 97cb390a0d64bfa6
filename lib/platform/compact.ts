/** The fields that were given a value or null. Those that are undefined are left out. */
export function definedFields<Fields extends object>(fields: Fields): Partial<Fields> {
  return without(fields, (value) => value === undefined);
}

/** The fields that have a value. Those that are null or undefined are left out. */
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
