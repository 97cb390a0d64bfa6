import { client } from '../service.ts';
import { useGet } from './data.tsx';

/** Lists that several areas show. They are loaded once. */

export function useAccounts() {
  return useGet(['accounts'], (organizationId, options) =>
    client.social.listAccounts({ organizationId }, options),
  );
}

/** The features and limits of each network. */
export function useCapabilities() {
  return useGet(['accounts', 'capabilities'], (_, options) =>
    client.social.listCapabilities({}, options),
  );
}

export function useAgents({ enabled = true }: { readonly enabled?: boolean } = {}) {
  return useGet(
    ['agents'],
    (organizationId, options) => client.ai.listAgents({ organizationId }, options),
    { enabled },
  );
}

/** The templates for agents and campaigns. */
export function useTemplates() {
  return useGet(['agents', 'templates'], (organizationId, options) =>
    client.ai.listPromptTemplates({ organizationId, limit: 100 }, options),
  );
}

export function useMembers() {
  return useGet(['settings', 'members'], (organizationId, options) =>
    client.organizations.listMembers({ organizationId }, options),
  );
}

export function usePipelines() {
  return useGet(['leads', 'pipelines'], (organizationId, options) =>
    client.leads.listPipelines({ organizationId }, options),
  );
}

/** The names of pipelines by id, the default one first. */
export function pipelineNames(
  pipelines: ReadonlyArray<{
    readonly id: string;
    readonly name: string;
    readonly isDefault: boolean;
  }>,
): Readonly<Record<string, string>> {
  const sorted = pipelines.toSorted(
    (one, other) => Number(other.isDefault) - Number(one.isDefault),
  );

  return Object.fromEntries(sorted.map(({ id, name }) => [id, name]));
}
