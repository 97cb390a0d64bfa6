/** Networks separate scopes with commas or with spaces, and some with the one here and the other there. */
export function scopesOf(list: string): readonly string[] {
  return list.split(/[\s,]+/).filter((scope) => scope !== '');
}
