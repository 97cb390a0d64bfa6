/** Returns the tags without repetitions, in the given order. */
export function distinctTags(tags: readonly string[] | null | undefined): readonly string[] {
  return [...new Set(tags)];
}
