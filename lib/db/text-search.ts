function folded(text: string): string {
  return text.normalize('NFKC').toLocaleLowerCase('und');
}

/** Whether one of some texts contains what is searched, whatever its case or Unicode form. */
export function textSearch(search: string | undefined): (...texts: readonly string[]) => boolean {
  const wanted = folded((search ?? '').trim());

  return (...texts) => texts.some((text) => folded(text).includes(wanted));
}
