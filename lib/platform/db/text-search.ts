import { comparable } from '#lib/platform/keyword-text.ts';

/** Returns a matcher that ignores case and Unicode form. */
export function textSearch(search: string | undefined): (...texts: readonly string[]) => boolean {
  const wanted = comparable((search ?? '').trim());

  return (...texts) => texts.some((text) => comparable(text).includes(wanted));
}
