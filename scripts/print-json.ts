/**
 * Which members get lines of their own: `true` for those of this object, an object for those of the
 * named members too.
 */
export type Lines = true | { readonly [name: string]: Lines };

/** Returns JSON whose diffs name the changed members, without a line for each value. */
export function printJson(value: object, lines: Lines): string {
  const members = Object.entries(value).map(([name, member]) => {
    const inner = lines === true ? undefined : lines[name];
    const text = inner && member ? printJson(member, inner) : JSON.stringify(member);

    return `${JSON.stringify(name)}: ${text}`;
  });

  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n}`;
}
