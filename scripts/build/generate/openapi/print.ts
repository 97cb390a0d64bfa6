const maxLineLength = 100;

/**
 * Returns a value as JSON with about one field per line, so that a diff shows each changed field.
 * Not indented: the document is deeply nested, and indentation would be a third of its size.
 */
export function print(value: unknown): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || line.length <= maxLineLength) {
    return line;
  }
  if (Array.isArray(value)) {
    return `[\n${value.map(print).join(',\n')}\n]`;
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${print(member)}`,
  );

  return `{\n${members.join(',\n')}\n}`;
}
