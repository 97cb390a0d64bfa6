import { knowledgeKeys, knowledgeRanges } from '#lib/platform/db/keys/knowledge.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { requireFound } from '#lib/platform/errors/failures.ts';
import type { FileName } from '#lib/platform/storage/file-name.ts';
import type { DocumentType, SourceStatus, SourceType } from '#schemas/knowledge.ts';

/** A knowledge source. Its passages are in the file `storedName`. */
export type Source = {
  readonly id: string;
  readonly organizationId: string;
  readonly type: SourceType;
  readonly name: string;
  readonly status: SourceStatus;
  readonly failureReason?: string;
  /** The number of searchable passages. They may belong to an earlier revision. */
  readonly chunkCount: number;
  readonly bytes?: number;
  /** Of a URL. */
  readonly url?: string;
  /** The announced type of a FILE. */
  readonly contentType?: DocumentType;
  readonly announcedBytes?: number;
  /** True for a FILE whose upload is not complete. It is PENDING, and deleted after a day. */
  readonly awaitsUpload?: boolean;
  /** Incremented for new content. */
  readonly revision: number;
  /** For a TEXT or FAQ: the number of items with the content of this revision. */
  readonly contentParts?: number;
  readonly contentHash?: string;
  /** Attempts to read this revision, including the current one. */
  readonly tries?: number;
  /** The file with the searchable passages. */
  readonly storedName?: string;
  readonly lastSyncedAt?: string;
  /** The number of times that an agent has started to use it. */
  readonly namings?: number;
  /** Incremented by every change that a person makes, for optimistic locking. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export function findSource(organizationId: string, id: string): Promise<Source | undefined> {
  return get<Source>(knowledgeKeys.knowledgeSource(organizationId, id));
}

/** @throws 404 */
export async function requireSource(organizationId: string, id: string): Promise<Source> {
  return requireFound(await findSource(organizationId, id), 'Knowledge source');
}

/** Returns all sources, newest first. */
export function listSources(organizationId: string): Promise<readonly Source[]> {
  return query<Source>(knowledgeRanges.knowledgeSources(organizationId), { newestFirst: true });
}

/** The prefix of all passages of an organization. */
export function knowledgeFilesOf(organizationId: string): string {
  return `knowledge/${organizationId}/`;
}

/** The prefix of the passages of a source. */
export function filesOfSource(organizationId: string, sourceId: string): string {
  return `${knowledgeFilesOf(organizationId)}${sourceId}/`;
}

export function passagesFile(
  { organizationId, id }: Pick<Source, 'organizationId' | 'id'>,
  storedName: string,
): FileName {
  return {
    key: `${filesOfSource(organizationId, id)}${storedName}`,
    contentType: 'application/octet-stream',
    downloadName: id,
  };
}

/** Where a FILE is uploaded, in the same place as media: incomplete uploads expire there. */
export function documentKey({ organizationId, id }: Pick<Source, 'organizationId' | 'id'>): string {
  return `uploads/${organizationId}/${id}`;
}
