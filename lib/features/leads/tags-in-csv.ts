import { MalformedCsvError, readCsv } from '#lib/platform/csv/read-csv.ts';

/** Returns the tags as one cell of a CSV file, separated by commas. Tags with commas are quoted. */
export function cellOfTags(tags: readonly string[]): string {
  return tags
    .map((tag) => (/[",\r\n]/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag))
    .join(',');
}

/** Returns the tags of a cell, or undefined if its quotes are malformed. */
export function tagsOfCell(cell: string): readonly string[] | undefined {
  try {
    return [...readCsv(cell, ',')].flat().filter((tag) => tag.trim() !== '');
  } catch (failure) {
    if (failure instanceof MalformedCsvError) {
      return undefined;
    }
    throw failure;
  }
}
