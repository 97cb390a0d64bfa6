import { removeFiles } from '#lib/platform/storage/files.ts';
import type { PersonScope } from './place.ts';

/** The prefix of the export files of a contact. They are deleted after a day. */
export function exportFilesOf(organizationId: string, contactId: string): string {
  return `reports/${organizationId}/contacts/${contactId}/`;
}

export async function eraseExportFiles({ organizationId, records }: PersonScope): Promise<void> {
  for (const { kind, id } of records) {
    if (kind === 'CONTACT') {
      await removeFiles(exportFilesOf(organizationId, id));
    }
  }
}

/** An earlier export contains nothing that the other places do not. */
export async function* collectExportFiles(): AsyncGenerator<object, void, undefined> {}
