import { beginningWith, inTenant, key, tenant } from './key.ts';

export const knowledgeKeys = {
  knowledgeSource: (organizationId: string, sourceId: string) =>
    inTenant(organizationId, `KNOWLEDGE_SOURCE#${sourceId}`),
  /** A part of a source's original content. */
  knowledgeContent: (organizationId: string, sourceId: string, revision: number, part: number) =>
    key(`${tenant(organizationId)}#KNOWLEDGE`, `CONTENT#${sourceId}#${revision}#${part}`),
  knowledgeGap: (organizationId: string, gapId: string) =>
    key(`${tenant(organizationId)}#KNOWLEDGE`, `GAP#${gapId}`),
};

export const knowledgeRanges = {
  knowledgeSources: (organizationId: string) =>
    beginningWith(tenant(organizationId), 'KNOWLEDGE_SOURCE#'),
  knowledgeGaps: (organizationId: string) =>
    beginningWith(knowledgeKeys.knowledgeGap(organizationId, '').pk, 'GAP#'),
};
