/** Splits a list of scopes. Networks separate them with commas, with spaces, or with both. */
export function scopesOf(list: string): readonly string[] {
  return list.split(/[\s,]+/).filter((scope) => scope !== '');
}
