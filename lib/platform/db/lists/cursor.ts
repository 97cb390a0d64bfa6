import { badRequest } from '#lib/platform/errors/failures.ts';

export type PageRequest = {
  readonly page?: number | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

/** A position in a list: the last entry of a page. The next page starts after it. */
export type Position<Entry> = { readonly after: Entry; readonly page: number };

export type PageStart<Entry> = { readonly page: number; readonly after?: Entry };

const maxPage = 1_000_000_000;

/** Encodes a page's last entry. `tag` binds the cursor to its list. */
export function encodeCursor({ after, page }: Position<unknown>, tag?: string): string {
  const content = tag === undefined ? [after, page] : [after, page, tag];

  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/**
 * Returns where the requested page starts.
 *
 * @param isEntry Returns true for an entry that a cursor of this list may contain.
 * @throws 400 for a cursor of another list.
 */
export function pageStart<Entry>(
  { page, cursor }: PageRequest,
  isEntry: (after: unknown) => after is Entry,
  tag?: string,
): PageStart<Entry> {
  if (cursor === undefined) {
    return { page: page ?? 1 };
  }
  const [after, lastPage, givenTag] = contentOf(cursor);
  const isPage = Number.isInteger(lastPage) && Number(lastPage) >= 1 && Number(lastPage) <= maxPage;
  if (!isPage || !isEntry(after) || givenTag !== tag) {
    throw badRequest('cursor must be the nextCursor of a previous page of this list');
  }

  return { page: Number(lastPage) + 1, after };
}

function contentOf(cursor: string): readonly unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));

    return Array.isArray(content) ? content : [];
  } catch {
    return [];
  }
}
