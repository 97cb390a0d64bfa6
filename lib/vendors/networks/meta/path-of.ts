/** Ids as parts of a path. */
export function pathOf(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

/** Whether a path is about this object or an edge of it. */
export function isBelow(path: string, id: string): boolean {
  return `${path}/`.startsWith(`${pathOf(id)}/`);
}
