import { removeFiles } from '#lib/platform/storage/files.ts';
import type { Place } from './place.ts';

/** The prefix of the export files of a contact. */
export function exportFilesOf(organizationId: string, contactId: string): string {
  return `reports/${organizationId}/contacts/${contactId}/`;
}

/** Files that contain an earlier export of the contact. They are deleted after a day otherwise. */
export const exportFiles: Place = {
  name: 'exportFiles',
  async erase({ organizationId, records }) {
    for (const { kind, id } of records) {
      if (kind === 'CONTACT') {
        await removeFiles(exportFilesOf(organizationId, id));
      }
    }
  },
  // Contains nothing that the other places do not.
  async *collect() {},
};
