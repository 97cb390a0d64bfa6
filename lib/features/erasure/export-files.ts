import { removeFiles } from '#lib/platform/storage/files.ts';
import { type PersonScope, standInOf } from './person-scope.ts';

/**
 * The prefix of the export files for a contact, or for the placeholder address of a network
 * customer without a contact. They are deleted after a day.
 */
export function exportFilesOf(organizationId: string, subject: string): string {
  return `reports/${organizationId}/people/${subject}/`;
}

export async function removeExportFiles(
  organizationId: string,
  subjects: readonly string[],
): Promise<void> {
  for (const subject of subjects) {
    await removeFiles(exportFilesOf(organizationId, subject));
  }
}

export async function eraseExportFiles(scope: PersonScope): Promise<void> {
  const contactIds = scope.records.filter(({ kind }) => kind === 'CONTACT').map(({ id }) => id);

  await removeExportFiles(scope.organizationId, [
    ...contactIds,
    ...scope.formerIds,
    ...scope.customers.map(standInOf),
  ]);
}
