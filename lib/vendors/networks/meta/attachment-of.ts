import type { FileMessage } from '#lib/vendors/networks/network.ts';

/** The attachment of a message, which excludes a text. */
export function attachmentOf({ kind, url }: Pick<FileMessage, 'kind' | 'url'>) {
  return { type: kind === 'VIDEO' ? 'video' : 'image', payload: { url } };
}
