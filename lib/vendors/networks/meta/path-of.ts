export function pathOf(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

/** True if a path contains this object or one of its edges. */
export function isBelow(path: string, id: string): boolean {
  return `${path}/`.startsWith(`${pathOf(id)}/`);
}
