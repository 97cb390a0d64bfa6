export const draftPrefix = 'draft:';

/** Removes all drafts: others can use this browser after a sign-out. */
export function forgetDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(draftPrefix)) {
      localStorage.removeItem(key);
    }
  }
}
