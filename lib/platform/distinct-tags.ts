/** Returns the tags without duplicates, in the given order. */
export function distinctTags(tags: readonly string[] | null | undefined): readonly string[] {
  return [...new Set(tags)];
}
