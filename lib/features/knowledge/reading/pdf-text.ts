import { UnreadableContentError } from './unreadable-content-error.ts';

/** A book of 5,000 passages has about this many pages. */
const maxPages = 2_000;

type TextItem = { readonly str?: string; readonly hasEOL?: boolean };

/**
 * Returns the text of a PDF, at most `maxLength` characters. A page may never end or use all
 * memory, so call it in a thread.
 *
 * @throws UnreadableContentError
 */
export async function textOfPdf(bytes: Uint8Array, maxLength: number): Promise<string> {
  // Loaded on demand, because only PDF files need this large module.
  const { getDocumentProxy } = await import('unpdf');
  const document = await getDocumentProxy(new Uint8Array(bytes), {
    isEvalSupported: false,
    stopAtErrors: true,
    verbosity: 0,
  }).catch((failure: unknown) => {
    const isLocked = failure instanceof Error && failure.name === 'PasswordException';
    throw new UnreadableContentError(
      isLocked ? 'The PDF is protected by a password' : 'The PDF is damaged',
    );
  });
  try {
    return await textOfPages(document, maxLength);
  } finally {
    await document.loadingTask.destroy();
  }
}

type Document = {
  readonly numPages: number;
  readonly getPage: (page: number) => Promise<{
    readonly getTextContent: () => Promise<{ readonly items: readonly object[] }>;
    readonly cleanup: () => unknown;
  }>;
};

async function textOfPages(document: Document, maxLength: number): Promise<string> {
  if (document.numPages > maxPages) {
    throw new UnreadableContentError(`The PDF has more than ${maxPages} pages`);
  }
  let text = '';
  for (let page = 1; page <= document.numPages; page += 1) {
    text += `${await textOfPage(document, page)}\n\n`;
    if (text.length > maxLength) {
      throw new UnreadableContentError('The file has too much text');
    }
  }

  return text;
}

async function textOfPage(document: Document, number: number): Promise<string> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();

    return items.map(({ str = '', hasEOL }: TextItem) => (hasEOL ? `${str}\n` : str)).join('');
  } catch {
    throw new UnreadableContentError('The PDF is damaged');
  }
}
