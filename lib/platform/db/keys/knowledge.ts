import { beginningWith, type Key, tenant } from './key.ts';

export const knowledgeKeys = {
  knowledgeSource: (organizationId: string, sourceId: string): Key => ({
    pk: tenant(organizationId),
    sk: `KNOWLEDGE_SOURCE#${sourceId}`,
  }),
  /** A part of a source's original content. */
  knowledgeContent: (
    organizationId: string,
    sourceId: string,
    revision: number,
    part: number,
  ): Key => ({
    pk: `${tenant(organizationId)}#KNOWLEDGE`,
    sk: `CONTENT#${sourceId}#${revision}#${part}`,
  }),
  knowledgeGap: (organizationId: string, gapId: string): Key => ({
    pk: `${tenant(organizationId)}#KNOWLEDGE`,
    sk: `GAP#${gapId}`,
  }),
};

export const knowledgeRanges = {
  knowledgeSources: (organizationId: string) =>
    beginningWith(tenant(organizationId), 'KNOWLEDGE_SOURCE#'),
  knowledgeGaps: (organizationId: string) =>
    beginningWith(knowledgeKeys.knowledgeGap(organizationId, '').pk, 'GAP#'),
};
