import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import type { MetaPlatform } from '#schemas/platforms.ts';

/** A person's request, made at a network, that all organizations delete their data. */
export type DataDeletion = {
  readonly code: string;
  readonly platform: MetaPlatform;
  readonly status: 'PENDING' | 'DONE';
  /** The person's id in the app. Removed when it is done. */
  readonly personId?: string;
  /** The erasures in the organizations that hold data. Removed when it is done. */
  readonly erasures?: readonly StartedErasure[];
  readonly createdAt: string;
  readonly doneAt?: string;
  readonly expiresAtSeconds: number;
};

export type StartedErasure = { readonly organizationId: string; readonly erasureId: string };

export function findDataDeletion(code: string): Promise<DataDeletion | undefined> {
  return get<DataDeletion>(socialKeys.dataDeletion(code));
}
