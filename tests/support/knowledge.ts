import { createSource } from '#lib/features/knowledge/create-source.ts';
import { planGap } from '#lib/features/knowledge/gaps.ts';
import { documentKey, type Source } from '#lib/features/knowledge/source.ts';
import { nothingElse, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { storeFile } from '#lib/platform/storage/stored-files.ts';

type Details = Parameters<typeof createSource>[1];

/** Stores a source whose content has not been read yet. */
export function storeSource(
  organizationId: string,
  details: Partial<Details> = { type: 'TEXT', text: 'We open at nine.' },
): Promise<Source> {
  return createSource(organizationId, { type: 'TEXT', name: newId(), ...details }, nothingElse);
}

/** Stores a FILE that has arrived and is not completed yet. */
export async function storeDocument(organizationId: string): Promise<Source> {
  const content = Buffer.from('We open at nine.');
  const contentType = 'text/plain';
  const source = await storeSource(organizationId, {
    type: 'FILE',
    fileName: 'hours.txt',
    contentType,
    bytes: content.length,
  });
  await storeFile({ key: documentKey(source), contentType, downloadName: 'hours.txt' }, content);

  return source;
}

/** Stores a question that the knowledge did not answer, and returns its id. */
export async function storeGap(organizationId: string, question: string): Promise<string> {
  const vector = Float32Array.from([1]);
  const asked = { question, vector, conversationId: newId(), agentId: undefined };
  const writes = await planGap(organizationId, asked);
  await write(...writes);

  return writes[0]?.key.sk.split('#')[1] ?? '';
}
