/**
 * Defines which members get separate lines: `true` for those of this object, an object also for
 * those of the named members.
 */
export type Lines = true | { readonly [name: string]: Lines };

/** Returns JSON in which a diff shows the changed members, without a line for each value. */
export function printJson(value: object, lines: Lines): string {
  const members = Object.entries(value).map(([name, member]) => {
    const inner = lines === true ? undefined : lines[name];
    const text = inner && member ? printJson(member, inner) : JSON.stringify(member);

    return `${JSON.stringify(name)}: ${text}`;
  });

  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n}`;
}
