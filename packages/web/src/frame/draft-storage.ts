export const draftPrefix = 'draft:';

/** Removes all drafts at sign-out, because other people may use this browser. */
export function forgetDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(draftPrefix)) {
      localStorage.removeItem(key);
    }
  }
}
