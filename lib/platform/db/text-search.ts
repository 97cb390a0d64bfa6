import { comparable } from '#lib/platform/characters.ts';

/** Whether one of some texts contains what is searched, whatever its case or Unicode form. */
export function textSearch(search: string | undefined): (...texts: readonly string[]) => boolean {
  const wanted = comparable((search ?? '').trim());

  return (...texts) => texts.some((text) => comparable(text).includes(wanted));
}
