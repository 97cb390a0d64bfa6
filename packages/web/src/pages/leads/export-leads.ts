import { useSend } from '../../frame/data.tsx';
import { saveFile, today } from '../../frame/save-file.ts';
import { useMembership } from '../../frame/session.tsx';
import { client } from '../../service.ts';
import type { Selection } from './selection.ts';

/** Saves the filtered leads as a CSV file. */
export function useExport(selection: Selection) {
  const { id: organizationId } = useMembership();

  return useSend(async (_: undefined, options) => {
    const csv = await client.leads.export({ organizationId, ...selection }, options);
    // Reading a response as text drops the byte order mark, which spreadsheets need to recognize
    // UTF-8.
    saveFile(`leads-${today()}.csv`, `\uFEFF${csv}`);
  });
}
