import type { ComponentChildren } from 'preact';
import { useGet } from '../../frame/data.tsx';
import { type AiAgent, client } from '../../service.ts';

/** Links to the other lists of the area. */
export type WithTabs = { readonly tabs: ComponentChildren };

export const statusNames: Readonly<Record<AiAgent['status'], string>> = {
  ACTIVE: 'Active',
  PAUSED: 'Paused',
  INACTIVE: 'Off',
  TESTING: 'Testing',
};

export const statusStyles: Readonly<Record<AiAgent['status'], string>> = {
  ACTIVE: 'success',
  PAUSED: 'warning',
  INACTIVE: '',
  TESTING: '',
};

export function useSources() {
  return useGet(['agents', 'sources'], (organizationId, options) =>
    client.ai.listKnowledgeSources({ organizationId }, options),
  );
}
