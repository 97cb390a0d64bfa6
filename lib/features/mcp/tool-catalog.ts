import type { Tool } from '@modelcontextprotocol/server';
import { readProjectFile } from '#lib/platform/project-file.ts';
import { type Role, ranksAtLeast } from '#schemas/contract.ts';
import { toolsFile } from '#schemas/mcp.ts';

/** A tool, and the lowest role that may use it. */
export type CatalogEntry = { readonly lowestRole: Role; readonly tool: Tool };

let catalog: readonly CatalogEntry[] | undefined;

/** The tools that a role may use. */
export function toolsFor(role: Role): Tool[] {
  catalog ??= JSON.parse(readProjectFile(toolsFile).toString()) as readonly CatalogEntry[];

  return catalog.filter(({ lowestRole }) => ranksAtLeast(role, lowestRole)).map(({ tool }) => tool);
}
